-- Which risks are to be judged anew since their acceptance ended.

alter table risks add column acceptance_ended boolean;
