/** Promise: an address that is not public is refused, however it is spelled. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeIp, parseAddress, refusedIpv4, refusedIpv6 } from '../server/outbound/address.ts'
import { formatIp, type Ip, parseIp } from '../server/outbound/network.ts'

/** Whether the guard would dial: by form, and for a literal by its bytes. Names are judged by what they resolve to. */
function verdict(text: string): 'refused' | 'public' | 'name' | 'inner name' {
  const parsed = parseAddress(text)
  if (!parsed.ok) return 'refused'
  const { literal, innerName } = parsed.address
  if (literal) return judgeIp(literal, []) === 'public' ? 'public' : 'refused'
  return innerName ? 'inner name' : 'name'
}

/** An IPv4 address in the spellings of IPv4, and hidden in the IPv6 forms that carry one. */
function disguises(ipv4: string): string[] {
  const [a, b, c, d] = ipv4.split('.').map(Number) as [number, number, number, number]
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const hex = (value: number) => value.toString(16)
  const octal = (value: number) => `0${value.toString(8)}`
  const [high, low] = [hex((a << 8) | b), hex((c << 8) | d)]
  return [
    ipv4,
    `${ipv4}.`,
    `${number}`,
    `0x${hex(number)}`,
    `0X${hex(number).toUpperCase()}`,
    octal(number),
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${((b << 16) | (c << 8) | d) >>> 0}`,
    `0x${hex(a)}.${((b << 16) | (c << 8) | d) >>> 0}`,
    [...ipv4].map((char) => `%${hex(char.charCodeAt(0))}`).join(''),
    ipv4.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))), // fullwidth
    ipv4.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))), // circled
    ipv4.replaceAll('.', '。'),
    `[::ffff:${ipv4}]`, // mapped
    `[::fFFf:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${ipv4}]`, // compatible
    `[::${high}:${low}]`,
    `[::ffff:0:${high}:${low}]`, // translated (SIIT)
    `[64:ff9b::${high}:${low}]`, // NAT64
    `[64:ff9b::${ipv4}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`, // 6to4
    `[2001:0:${high}:${low}::1]`, // Teredo, server
    `[2001:0:4136:e378:8000:63bf:${hex(0xffff ^ ((a << 8) | b))}:${hex(0xffff ^ ((c << 8) | d))}]`, // Teredo, client
    `[fe80::5efe:${high}:${low}]`, // ISATAP
    `[::5efe:${high}:${low}]`,
  ]
}

const inner = [
  '0.0.0.0',
  '10.0.0.1',
  '100.100.100.200', // Alibaba metadata
  '127.0.0.1',
  '168.63.129.16', // Azure wire server
  '169.254.169.254', // metadata
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
]

const edgesIpv4 = [
  '0.0.0.1 0.255.255.255 10.255.255.255 100.64.0.0 100.64.0.1 100.127.255.255 127.0.0.2 127.255.255.255',
  '169.254.0.0 169.254.170.2 169.254.255.255 172.16.0.0 192.0.0.0 192.0.0.8 192.0.0.192 192.0.0.255 192.0.2.1',
  '192.31.196.1 192.52.193.1 192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 192.175.48.1 198.18.0.0',
  '198.19.255.255 198.51.100.1 203.0.113.255 224.0.0.0 239.255.255.255 240.0.0.1 254.1.2.3',
]
  .join(' ')
  .split(' ')

const refusedIpv6Literals = [
  '[::] [::1] [0:0:0:0:0:0:0:1] [::2] [::ffff:0:0] [::ffff:127.0.0.1] [::ffff:a9fe:a9fe] [::a9fe:a9fe] [::7f00:1]',
  '[::5efe:7f00:1] [100::] [100::1] [100:0:0:1::1] [64:ff9b::7f00:1] [64:ff9b::808:808] [64:ff9b:1::1] [1::1]',
  '[1fff:ffff::1] [2001::1] [2001:2::1] [2001:10::1] [2001:20::1] [2001:1ff:ffff::1] [2001:db8::1] [2002::1]',
  '[2002:7f00:1::1] [2002:a9fe:a9fe::] [2620:4f:8000::1] [3fff::1] [3fff:fff:ffff::1] [4000::1] [5f00::1] [8000::1]',
  '[fc00::1] [fd00::1] [fd00:ec2::254] [fd7a:115c:a1e0::1] [fdff:ffff::1] [fe00::1] [fe80::1] [febf::1] [fec0::1]',
  '[feff::1] [ff00::1] [ff02::1] [ff0e::1] [ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff] [e000::1] [c000::1] [a000::1]',
]
  .join(' ')
  .split(' ')

/** Each a published hole in a guard that was somebody's. */
const advisories: Record<string, string[]> = {
  'CVE-2023-42282 (ip)': ['0x7f.1', '0x7f.0x0.0x0.0x1'],
  'CVE-2024-29415 (ip)': [
    '127.1',
    '012.1.2.3',
    '[000:0:0000::01]',
    '[::fFFf:127.0.0.1]',
    '0177.0.0.1',
    '127.00.0.1',
  ],
  'CVE-2020-28360 (private-ip)': ['0.0.0.0', '172.16.5.4', '169.254.1.1', '[::ffff:10.0.0.1]'],
  'CVE-2025-8020 (private-ip)': ['224.0.0.1', '239.1.1.1'],
  'CVE-2025-8267 (ssrfcheck)': ['224.0.0.251', '232.1.1.1'],
  'CVE-2026-43929 (ssrfcheck)': ['[::ffff:7f00:1]', '[::ffff:a00:1]', '[0:0:0:0:0:FFFF:C0A8:0101]'],
  'private-ip issue 32': ['[::ffff:192.168.0.1]'],
  'GHSA-w5r7-4f94-vp4c (LibreChat)': ['[::ffff:a9fe:a9fe]'],
  'OneUptime 2578 and 3183': ['[::ffff:169.254.169.254]', '[2002:a9fe:a9fe::1]', '[2001:0:a9fe:a9fe::1]'],
  'formbricks/hub 129': ['0.1.2.3', '100.64.0.1', '168.63.129.16', '[fec0::1]', '[5f00::1]', '[3fff::1]'],
  'novu 11197': ['100.64.1.1', '100.127.0.1'],
  'Countly 7959': ['[64:ff9b:1::7f00:1]'],
  'ipaddr.js 203, sim 4467': ['[::7f00:1]', '[::127.0.0.1]', '[::a00:1]'],
  'request-filtering-agent 2': ['[::1]', '[fd00::1]'],
  'SVIXSEC-2026-0001': ['[::ffff:0:7f00:1]', '[64:ff9b::a9fe:a9fe]'],
}

const badForms = [
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'ws://example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  '//example.com/',
  '/hooks',
  'example.com',
  '',
  'https://',
  'https:///',
  'https:///example.com/',
  'https:example.com',
  'https:/example.com',
  'https:\\\\example.com',
  'https://example.com\\@127.0.0.1/',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://:password@example.com/',
  'https://@example.com/',
  'https://example.com@127.0.0.1/',
  'https://127.0.0.1%2f@example.com/',
  'https://example.com/#',
  'https://example.com/#part',
  'https://example.com/?a=b#part',
  ' https://example.com/',
  'https://example.com/ ',
  'https://exam ple.com/',
  'https://example.com/a b',
  'https://exa\tmple.com/',
  'https://exa\nmple.com/',
  'https://example.com/\u0000',
  'https://example.com/\u00a0',
  'https://example.com:0/',
  'https://example.com:00000/',
  'https://example.com:65536/',
  'https://example.com:99999/',
  'https://example.com:-1/',
  'https://example.com:https/',
  'https://example.com:44 3/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[::1',
  'https://::1/',
  'https://[]/',
  'https://[1.2.3.4]/',
  'https://[v1.fe80::a]/',
  'https://[1:2:3:4:5:6:7]/',
  'https://[1:2:3:4:5:6:7:8:9]/',
  'https://[12345::1]/',
  'https://[::1::2]/',
  'https://1.2.3.4.5/',
  'https://256.1.1.1/',
  'https://1.2.3.256/',
  'https://4294967296/',
  'https://0x100000000/',
  'https://1.2.3.08/',
  'https://example.1/',
  'https://example.0x7f/',
  'https://example.com../',
  'https://.example.com/',
  'https://./',
  'https://../',
  'https://a..b.com/',
  'https://-bad.example/',
  'https://bad-.example/',
  'https://ex*mple.com/',
  'https://exa$mple.com/',
  "https://exa'mple.com/",
  'https://exa,mple.com/',
  'https://exa;mple.com/',
  'https://exa%00mple.com/',
  'https://exa%2fmple.com/',
  'https://exa<mple.com/',
  `https://${'a'.repeat(64)}.example/`,
  `https://${'a.'.repeat(127)}example/`,
  `https://example.com/${'a'.repeat(2_029)}`,
  `https://example.com/${'ä'.repeat(400)}`,
]

const innerNames = [
  'localhost LOCALHOST localhost. LocalHost. a.localhost a.b.localhost. printer.local printer.local. local',
  'metadata.google.internal metadata.google.internal. db.internal internal host.docker.internal router.home.arpa',
  'home.arpa. service.onion onion intranet db kubernetes ip6-localhost l%6fcalhost ｌｏｃａｌｈｏｓｔ ⓛocalhost metadata',
]
  .join(' ')
  .split(' ')

const publicLiterals = [
  '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15',
  '168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0',
  '192.88.98.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 203.0.112.1 223.255.255.255',
  '134744072 [2000::1] [2001:200::1] [2001:4860:4860::8888] [2001:db7::1] [2001:db9::1] [2003::1] [2606:4700::1111]',
  '[2620:4f:7fff::1] [2a00:1450::1] [3ffe::1] [3fff:1000::1]',
]
  .join(' ')
  .split(' ')

const goodNames = [
  'https://example.com/',
  'https://example.com',
  'HTTPS://EXAMPLE.COM/Hook?x=%20&y=@',
  'https://example.com./hook',
  'https://example.com:1/',
  'https://example.com:65535/',
  'https://example.com:443/a@b',
  'https://bücher.example/',
  'https://xn--bcher-kva.example/',
  'https://_hooks.example.com/',
  'https://a.b.c.d.e.example/',
  'https://127.0.0.1.example.com/',
  'https://localhost.example.com/',
  'https://internal.example/',
  'https://notlocal.example/',
  `https://example.com/${'a'.repeat(2_028)}`,
]

const mustBeRefused = [
  ...[
    ...inner.flatMap(disguises),
    ...edgesIpv4,
    ...refusedIpv6Literals,
    ...Object.values(advisories).flat(),
  ].map((host) => `https://${host}/hook`),
  ...badForms,
]

describe('the table', () => {
  test('is long enough to mean something', () => {
    expect(new Set(mustBeRefused).size).toBeGreaterThan(400)
  })
  test.each(mustBeRefused)('refuses %s', (address) => {
    expect(verdict(address)).toBe('refused')
  })
  test.each(innerNames)('wants an allowed network for the name %s', (name) => {
    expect(verdict(`https://${name}/`)).toBe('inner name')
  })
  test.each(publicLiterals)('takes %s', (host) => {
    expect(verdict(`https://${host}/`)).toBe('public')
  })
  test.each(goodNames)('takes the form of %s', (address) => {
    expect(verdict(address)).toBe('name')
  })
})

test('a refusal says what to do', () => {
  expect(parseAddress('https://user@example.com/')).toEqual({
    ok: false,
    problem: 'holds a user name or password; leave them out',
  })
})

test('the normal form keeps the port and drops the last dot', () => {
  expect(parseAddress('https://Example.com.:8443/A?b')).toMatchObject({
    address: {
      origin: 'https://example.com:8443',
      host: 'example.com',
      port: 8443,
      path: '/A?b',
      literal: null,
    },
  })
  expect(parseAddress('https://[2001:4860:4860::8888]')).toMatchObject({
    address: { origin: 'https://[2001:4860:4860::8888]', host: '2001:4860:4860::8888', port: 443, path: '/' },
  })
})

describe('whatever the bytes', () => {
  const ipv4 = fc.uint8Array({ minLength: 4, maxLength: 4 })
  const ipv6 = fc.uint8Array({ minLength: 16, maxLength: 16 })
  const within = ([ip, network]: [Ip, { bytes: Ip; bits: number }]): Ip =>
    ip.map((byte, index) => {
      const mask = (0xff << (8 - Math.min(8, Math.max(0, network.bits - index * 8)))) & 0xff
      return (network.bytes[index]! & mask) | (byte & ~mask)
    })

  test('inside a refused range nothing is accepted', () => {
    const inRange4 = fc.tuple(ipv4, fc.constantFrom(...refusedIpv4)).map(within)
    const inRange6 = fc.tuple(ipv6, fc.constantFrom(...refusedIpv6)).map(within)
    fc.assert(
      fc.property(fc.oneof(inRange4, inRange6), (ip) => {
        expect(judgeIp(ip, [])).toBe('refused')
        const text = ip.length === 4 ? formatIp(ip) : `[${formatIp(ip)}]`
        expect(verdict(`https://${text}/`)).toBe('refused')
      }),
      { numRuns: 3_000 },
    )
  })

  test('an IPv4 address hidden in IPv6 is never accepted outside 2000::/3', () => {
    const prefixes = [
      '::',
      '::ffff:0:0',
      '::ffff:0:0:0',
      '64:ff9b::',
      '64:ff9b:1::',
      '::5efe:0:0',
      'fe80::5efe:0:0',
    ]
    fc.assert(
      fc.property(fc.constantFrom(...prefixes), ipv4, (prefix, hidden) => {
        const ip = parseIp(prefix)!
        ip.set(hidden, 12)
        expect(judgeIp(ip, [])).toBe('refused')
      }),
    )
  })

  test('all IPv6 outside 2000::/3 is refused, known or not', () => {
    fc.assert(
      fc.property(ipv6, (ip) => {
        fc.pre(ip[0]! >> 5 !== 1)
        expect(judgeIp(ip, [])).toBe('refused')
      }),
    )
  })

  test('text and bytes are the same thing', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), (ip) => {
        expect(parseIp(formatIp(ip))).toEqual(ip)
      }),
    )
  })

  test('any length but 4 and 16 is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (ip) => {
        fc.pre(ip.length !== 4 && ip.length !== 16)
        expect(judgeIp(ip, [])).toBe('refused')
      }),
    )
  })
})
