-- Which program called which tool: calls by the MCP door say both. The hash of an entry covers them where they
-- stand; entries of other doors, and those of before, keep the hash they have.

alter table audit_entries add column client text, add column tool text;
