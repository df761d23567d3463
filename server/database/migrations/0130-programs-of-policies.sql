-- Which programs wrote in the text of a policy: whoever approves it is told so. Of texts before, it is not known.

alter table policy_versions add column programs jsonb;
