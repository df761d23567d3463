-- Whom members sign in as is looked for in their organization, where everything of a person is read.
revoke select (work_email, user_id, archived_at) on personnel from plumbline_gate;
