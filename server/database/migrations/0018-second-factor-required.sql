-- Whether the organization asks everybody for a second factor who signs in with a password of their own.
alter table organizations add column second_factor_required boolean not null default false;

-- Whoever sets a new password may end their own keys with the old one, in all their organizations.
grant update (revoked_at, revoked_by) on api_keys to plumbline_gate;
