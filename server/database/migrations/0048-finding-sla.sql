-- In how many days a security finding is to be resolved, by how grave it is.
alter table organizations add column finding_sla_days jsonb not null
  default '{"critical": 7, "high": 30, "medium": 90, "low": 180, "informational": null}';
