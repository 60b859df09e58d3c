import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { bytesOfBase64 } from '../../src/bytes/base64.ts'
import { bcs } from '../../src/move/bcs.ts'
import { blake2b } from './support/blake2b.ts'
import { block, uleb } from './support/write.ts'

t.test('base64 is read as Node writes it', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (data) => {
        return Buffer.from(bytesOfBase64(Buffer.from(data).toString('base64'))!).equals(data)
      }),
    ),
  )
  // RFC 4648, section 10.
  for (const [text, bytes] of Object.entries({ '': '', 'Zg==': 'f', 'Zm8=': 'fo', Zm9v: 'foo', 'Zm9vYg==': 'foob', Zm9vYmFy: 'foobar' })) {
    t.strictSame(bytesOfBase64(text), Uint8Array.from(Buffer.from(bytes)), text)
  }
})

t.test('no two texts are read as the same bytes', async (t) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const read: string[] = []
  for (const a of alphabet) {
    for (const b of alphabet) {
      const text = `${a}${b}==`
      const bytes = bytesOfBase64(text)
      if (bytes !== null) read.push(text)
    }
  }
  t.equal(read.length, 256)
  t.ok(read.every((text) => Buffer.from(text, 'base64').toString('base64') === text))
  for (const text of ['Zh==', 'Zm9=', 'Zg', 'Zg=', 'Z===', 'Zm9v=', 'Zm-v', 'Zm_v', 'Zm 9v', 'Zm9v\n', 'é123', '====']) {
    t.equal(bytesOfBase64(text), null, text)
  }
})

t.test('every length has one form', async (t) => {
  const read = (data: Uint8Array) => {
    const from = bcs(data, 'the bytes')
    const value = from.size('the length')
    from.end()
    return value
  }
  t.doesNotThrow(() => fc.assert(fc.property(fc.nat(0xffffffff), (value) => read(uleb(value)) === value)))
  for (const value of [0, 127, 128, 16383, 16384, 2 ** 21, 2 ** 28, 2 ** 31, 2 ** 32 - 1]) t.equal(read(uleb(value)), value)
  for (const data of [[0x80, 0], [0xff, 0], [0x80, 0x80, 0], [0x80, 0x80, 0x80, 0x80, 0], [0x80, 0x80, 0x80, 0x80, 0x10], [0x80], []]) {
    t.throws(() => read(Uint8Array.from(data)), { code: 'DECODE_FAILED' }, data.join())
  }
})

t.test('names are read if Move has such names', async (t) => {
  const read = (text: string) => bcs(block(text), 'the bytes').identifier('the name')
  for (const text of ['a', 'A', 'sui_system', '_a', '__', 'a1', 'Z_9']) t.equal(read(text), text)
  for (const text of ['', '_', '1a', 'a-b', 'a b', 'a::b', 'é', 'a\n', 'a\0', 'a<b>']) {
    t.throws(() => read(text), { message: /it must be a name of letters, digits and underscores/ }, text)
  }
})

t.test('the hash of these tests is that of others', async (t) => {
  t.equal(
    blake2b(Buffer.from('abc'), 32).toString('hex'),
    'bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319',
    'Python 3, hashlib',
  )
  for (const length of [0, 1, 127, 128, 129, 256, 1000]) {
    const data = Buffer.alloc(length, 7)
    t.equal(blake2b(data, 64).toString('hex'), createHash('blake2b512').update(data).digest('hex'), String(length))
  }
})
