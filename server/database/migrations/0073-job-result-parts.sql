-- The file that is the result of a job, in the parts that its pieces wrote: it may be larger than what is in memory at
-- one time. Sections follow each other, whatever order their parts came in.

alter table jobs add constraint jobs_of_organization unique (organization_id, id);

create table job_result_parts (
  organization_id text collate "C" not null,
  job_id text collate "C" not null,
  section integer not null,
  number integer not null,
  bytes bytea not null,
  primary key (organization_id, job_id, section, number),
  foreign key (organization_id, job_id) references jobs (organization_id, id) on delete cascade
);

alter table job_result_parts enable row level security, force row level security;
create policy tenant on job_result_parts to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert on job_result_parts to plumbline_tenant;

insert into job_result_parts (organization_id, job_id, section, number, bytes)
select organization_id, id, 0, 0, result from jobs where result is not null and organization_id is not null;

alter table jobs add column result_bytes bigint;
update jobs set result_bytes = octet_length(result) where result is not null;
alter table jobs drop column result;
