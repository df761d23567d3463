-- How many risks the recalculation for a version of the matrix gave another level: said once it is through.

alter table risk_matrices add column risks_moved integer;
grant update (risks_moved) on risk_matrices to plumbline_tenant;
