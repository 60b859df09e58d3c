import { createHash } from 'node:crypto'
import { computeAddress, recoverAddress, SigningKey } from 'ethers'
import t from 'tap'
import { secp256k1Key } from '../src/families/cosmos/secp256k1.ts'

const digestOf = (text: string) => createHash('sha256').update(text).digest()

t.test(
  'keys are those of their secrets, and signatures are of the lower half, the same every time, as another library reads them',
  async (t) => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    for (let index = 0; index < 200; index++) {
      const key = secp256k1Key(`wallet ${index}`)
      const theirs = new SigningKey(digestOf(`wallet ${index}`))
      t.equal(`0x${key.compressed}`, theirs.compressedPublicKey)
      t.equal(`0x${key.uncompressed}`, theirs.publicKey)
      const digest = digestOf(`digest ${index}`)
      const signature = key.sign(digest)
      t.equal(signature, key.sign(digest))
      t.match(signature, /^[0-9a-f]{128}$/)
      const [r, s] = [`0x${signature.slice(0, 64)}`, `0x${signature.slice(64)}`]
      t.ok(BigInt(s) <= order / 2n)
      const signers = ([27, 28] as const).map((v) => recoverAddress(digest, { r, s, v }))
      t.ok(signers.includes(computeAddress(theirs.publicKey)))
    }
  },
)
