-- Why a pass was revoked, where nobody did it by hand: nothing is asked of its guest any more, or they were given another
-- way. Whoever comes by one of its links is told.
alter table guest_passes add column revoked_because text check (revoked_because in ('nothing_asked', 'other_way'));
