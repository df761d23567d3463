/** Certificates for receivers in tests: an authority of our own, and leaves good and bad. */
import './reflect-metadata.ts'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000

export interface Authority {
  /** PEM: what `WEBHOOK_CA_FILE` would hold. */
  readonly certificate: string
  /** `names` are host names and IP addresses. `days` from now until it ends; negative: it ended. */
  issue(names: readonly string[], days?: number): Promise<{ key: string; cert: string }>
}

export async function createAuthority(name = 'Plumbline test authority'): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto)
  const keys = await makeKeys()
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - 30 * dayMs),
    notAfter: new Date(Date.now() + 30 * dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
    ],
  })
  let serial = 1
  return {
    certificate: authority.toString('pem'),
    async issue(names, days = 20) {
      const leafKeys = await makeKeys()
      serial += 1
      const leaf = await x509.X509CertificateGenerator.create({
        serialNumber: serial.toString(16).padStart(4, '0'),
        subject: 'CN=receiver',
        issuer: authority.subject,
        notBefore: new Date(Date.now() - 25 * dayMs),
        notAfter: new Date(Date.now() + days * dayMs),
        signingAlgorithm: algorithm,
        signingKey: keys.privateKey,
        publicKey: leafKeys.publicKey,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value })),
          ),
        ],
      })
      const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', leafKeys.privateKey))
      const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
      return { key, cert: leaf.toString('pem') }
    },
  }
}

function makeKeys() {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}
