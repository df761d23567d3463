-- The sorts of risks that people use most, after those by time. An index of the collation is built again when ICU was
-- upgraded (renewCollation in migrate.ts).
create index risks_by_title on risks (organization_id, title collate natural_order, id);
create index risks_by_risk_score on risks (organization_id, risk_score desc nulls last, id desc);
