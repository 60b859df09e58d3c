import t from 'tap'
import { keccak256 } from '../../src/bytes/keccak.ts'
import { bytes, hex, readVectors } from '../support/vectors.ts'

interface Vector {
  readonly message: string
  readonly times: number
  readonly digest: string
}

t.test('keccak-256 gives the published digests, also at and across its block of 136 bytes', async (t) => {
  for (const { message, times, digest } of readVectors<{ vectors: readonly Vector[] }>('keccak-256').vectors) {
    const data = bytes(message.slice(2).repeat(times))
    t.equal(hex(keccak256(data)), digest, `${data.length} bytes`)
  }
})

t.test('keccak-256 of a view hashes the view, not the buffer behind it', async (t) => {
  const buffer = bytes('ffffff1f877cffff')
  t.equal(hex(keccak256(buffer.subarray(3, 6))), '0x627d7bc1491b2ab127282827b8de2d276b13d7d70fb4c5957fdf20655bc7ac30')
})

t.test('keccak-256 keeps nothing from one message to the next', async (t) => {
  const first = hex(keccak256(bytes('cc')))
  keccak256(new Uint8Array(500).fill(7))
  t.equal(hex(keccak256(bytes('cc'))), first)
})
