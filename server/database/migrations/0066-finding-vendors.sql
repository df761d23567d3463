-- In whose product or service a security finding is.

alter table security_findings
  add column vendor_id text collate "C",
  add foreign key (organization_id, vendor_id) references vendors (organization_id, id);
create index security_findings_vendor on security_findings (organization_id, vendor_id);
