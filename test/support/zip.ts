import { crc32, deflateRawSync } from 'node:zlib'

/* Archives as nobody packs them: what each says of itself is the test's to choose. */

export interface Packed {
  readonly name: string | Buffer
  readonly content?: Buffer | string
  /** Packed already, for what would take long. */
  readonly deflated?: Buffer
  /** How many bytes it says to have; those that it has, else. */
  readonly bytes?: number
  /** What it says that its bytes sum up to; what they do, else. */
  readonly crc?: number
  readonly flags?: number
  readonly method?: number
  /** By which system it was made, Unix or another, and the mode of the file there. */
  readonly system?: number
  readonly mode?: number
  /** It lies where this one does. */
  readonly at?: number
}

const UTF8 = 0x800

export function zipOf(entries: readonly Packed[], said = entries.length): Buffer {
  const parts: Buffer[] = []
  const places: number[] = []
  const heads: Buffer[] = []
  let length = 0
  for (const entry of entries) {
    const {
      name,
      content = '',
      flags = typeof name === 'string' ? UTF8 : 0,
      method = 8,
      mode = 0o100_644,
    } = entry
    const plain = Buffer.from(content)
    const data = entry.deflated ?? (method === 8 ? deflateRawSync(plain) : plain)
    const called = Buffer.from(name)
    const bytes = entry.bytes ?? plain.length
    const told = Buffer.alloc(26)
    told.writeUInt16LE(20, 0)
    told.writeUInt16LE(flags, 2)
    told.writeUInt16LE(method, 4)
    told.writeUInt32LE(entry.crc ?? crc32(plain), 10)
    told.writeUInt32LE(data.length, 14)
    told.writeUInt32LE(bytes, 18)
    told.writeUInt16LE(called.length, 22)
    if (entry.at === undefined) {
      places.push(length)
      const local = [Buffer.from('PK\u0003\u0004'), told, called, data]
      parts.push(...local)
      length += local.reduce((sum, part) => sum + part.length, 0)
    } else places.push(places[entry.at]!)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(places.at(-1)!, 10)
    heads.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, entry.system ?? 3]), told, rest, called)
  }
  const directory = Buffer.concat(heads)
  const isLarge = said > 0xffff
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(Math.min(said, 0xffff), 8)
  end.writeUInt16LE(Math.min(said, 0xffff), 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(length, 16)
  return Buffer.concat([
    ...parts,
    directory,
    ...(isLarge ? [largeEnd(said, directory.length, length)] : []),
    end,
  ])
}

/** Of more entries than two bytes can say. */
function largeEnd(said: number, bytes: number, at: number): Buffer {
  const end = Buffer.alloc(56 + 20)
  end.write('PK\u0006\u0006', 0, 'latin1')
  end.writeBigUInt64LE(44n, 4)
  end.writeBigUInt64LE(BigInt(said), 24)
  end.writeBigUInt64LE(BigInt(said), 32)
  end.writeBigUInt64LE(BigInt(bytes), 40)
  end.writeBigUInt64LE(BigInt(at), 48)
  end.write('PK\u0006\u0007', 56, 'latin1')
  end.writeBigUInt64LE(BigInt(at + bytes), 64)
  end.writeUInt32LE(1, 72)
  return end
}
