-- Viewers who see less, or write less, than their role allows.
alter table members
  add column limited_view text check (limited_view in ('auditor', 'self_service')),
  add constraint members_limited_view_of_viewers check (limited_view is null or role = 'viewer');
