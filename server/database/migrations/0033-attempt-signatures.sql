-- Of an attempt's headers only the signature cannot be made again from the rest. Attempts of before keep theirs.
alter table attempts add column signature text;
