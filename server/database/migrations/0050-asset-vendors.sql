-- Which vendor provides an asset.

alter table assets
  add column vendor_id text collate "C",
  add foreign key (organization_id, vendor_id) references vendors (organization_id, id);
create index assets_vendor on assets (organization_id, vendor_id);
