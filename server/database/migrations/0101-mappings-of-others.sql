-- What the service brought along was told as the organization's own word. What a person says of a mapping has more to it
-- than that, and what a file brought is mapped by people alone.
update requirement_mappings m
   set origin = 'community'
  from requirements s
  join frameworks f on f.organization_id = s.organization_id and f.id = s.framework_id,
       requirements t
  join frameworks g on g.organization_id = t.organization_id and g.id = t.framework_id
 where s.organization_id = m.organization_id and s.id = m.mapping_source_id
   and t.organization_id = m.organization_id and t.id = m.mapping_target_id
   and f.source_format = 'builtin' and g.source_format = 'builtin'
   and m.origin = 'own' and m.rationale = 'semantic'
   and m.strength is null and m.confidence is null and m.note is null;
