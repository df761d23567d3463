-- What a year of a risk most likely costs, from how it is quantified.
alter table risks add column annual_loss_expectancy jsonb;

update risks set annual_loss_expectancy = jsonb_build_object(
    'currency', quantification->'currency',
    'amount', round(((quantification->>'annualFrequencyLikely')::numeric * (quantification->>'lossLikely')::numeric), 2))
 where quantification ? 'annualFrequencyLikely' and quantification ? 'lossLikely';
