-- The order of names and titles for people: A, Ä, b, Z, and 2 before 10. It is the root order of Unicode, the same on
-- each server whatever its locale, and the order of Intl.Collator in model/natural-order.ts. Equality stays that of
-- bytes. No index uses it: an upgrade of ICU may move a character, and would break an index without a warning.
create collation natural_order (provider = icu, locale = 'und-u-kn-true', deterministic = true);
