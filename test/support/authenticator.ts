import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/**
 * An authenticator in software (ES256), with the browser before it: what tests make passkeys with. It does as it
 * is told, so it can also tell every lie that a service must see through.
 */
export interface Authenticator {
  /** Makes a passkey, as navigator.credentials.create would. */
  create(options: Asked, lies?: Lies): Answer
  /** Answers a challenge, as navigator.credentials.get would. */
  get(options: Asked, lies?: Lies): Answer
  readonly credentialId: string
  /** The same keys and counter, as somebody who copied them has. */
  copy(): Authenticator
}

export interface Asked {
  challenge: string
  rpId?: string
  rp?: { id: string }
  user?: { id: string }
}

export interface Lies {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  userVerified?: boolean
  userPresent?: boolean
  userHandle?: string | null
  credentialId?: string
  counter?: number
  signature?: Buffer
  format?: string
  attestation?: Map<string, Cbor>
}

// biome-ignore lint/suspicious/noExplicitAny: tests bend answers out of shape
export type Answer = any

/** @param counts whether it counts its uses; many never do and always say 0 */
export function newAuthenticator(origin: string, { counts = true } = {}): Authenticator {
  return authenticatorOf(origin, {
    keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    id: randomBytes(32),
    counter: 0,
    step: counts ? 1 : 0,
    userHandle: '',
  })
}

interface State {
  keys: { publicKey: KeyObject; privateKey: KeyObject }
  id: Buffer
  counter: number
  step: number
  userHandle: string
}

function authenticatorOf(origin: string, state: State): Authenticator {
  const clientData = (type: string, { challenge }: Asked, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const data = (rpId: string, lies: Lies, attested: Buffer = Buffer.alloc(0)) => {
    state.counter += state.step
    const flags =
      (lies.userPresent === false ? 0 : 1) |
      (lies.userVerified === false ? 0 : 4) |
      (attested.length > 0 ? 0x40 : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(lies.counter ?? state.counter, 1)
    return Buffer.concat([sha256(lies.rpId ?? rpId), head, attested])
  }
  const answered = (response: object, { credentialId = text(state.id) }: Lies) => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response,
  })
  return {
    get credentialId() {
      return text(state.id)
    },
    copy: () => authenticatorOf(origin, { ...state }),
    create: (options, lies = {}) => {
      state.userHandle = options.user!.id
      const id = lies.credentialId ? Buffer.from(lies.credentialId, 'base64url') : state.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, publicKeyOf(state.keys.publicKey)])
      const object = new Map<string, Cbor>([
        ['fmt', lies.format ?? 'none'],
        ['attStmt', lies.attestation ?? new Map<string, Cbor>()],
        ['authData', data(options.rp!.id, lies, attested)],
      ])
      const clientDataJSON = text(clientData('webauthn.create', options, lies))
      const response = { clientDataJSON, attestationObject: text(cbor(object)), transports: ['internal'] }
      return answered(response, lies)
    },
    get: (options, lies = {}) => {
      const authenticatorData = data(options.rpId!, lies)
      const client = clientData('webauthn.get', options, lies)
      const signed = Buffer.concat([authenticatorData, sha256(client)])
      const userHandle = lies.userHandle === undefined ? state.userHandle : lies.userHandle
      const response = {
        clientDataJSON: text(client),
        authenticatorData: text(authenticatorData),
        signature: text(lies.signature ?? sign('sha256', signed, state.keys.privateKey)),
        ...(userHandle === null ? {} : { userHandle }),
      }
      return answered(response, lies)
    },
  }
}

const text = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** A COSE key of P-256 (RFC 9053). */
function publicKeyOf(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' })
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]),
  )
}

export type Cbor = number | string | Buffer | Cbor[] | Map<string, Cbor> | Map<number, Cbor>

/** As much of RFC 8949 as an authenticator says. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const pairs = [...(value as Map<Cbor, Cbor>)].flatMap(([name, inner]) => [cbor(name), cbor(inner)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

function head(major: number, count: number): Buffer {
  const type = major << 5
  if (count < 24) return Buffer.from([type | count])
  if (count < 256) return Buffer.from([type | 24, count])
  return Buffer.from([type | 25, count >> 8, count & 255])
}
