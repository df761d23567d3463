-- Whether the organization asks everybody for a second factor who signs in with a password of their own.
alter table organizations add column second_factor_required boolean not null default false;
