/**
 * What somebody is who does something: `operator` is whoever may run the command line or holds a link made by it,
 * `service` what Plumbline does by itself, `guest` somebody who is no member and was let in by a pass. Older entries of the audit log say `system` of both.
 */
export type ActorType = 'user' | 'api_key' | 'oauth_client' | 'operator' | 'service' | 'guest'
