// A stand-in for a custodian: a service that holds keys and signs the bytes that it is sent, and knows neither chains nor transactions.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { SigningKey } from 'ethers'

/** What stands before the 32 bytes of an Ed25519 seed in PKCS #8. @see https://www.rfc-editor.org/rfc/rfc8410 section 10.3 (read 2026-11-22) */
const PKCS8 = '302e020100300506032b657004220420'

/**
 * Holds the sandbox's first wallet of each family.
 *
 * @returns where it listens, each key as its owner knows it (name, address, public key), and how to end it
 */
export async function openCustodian(wallets) {
  const [[evm], [cosmos], [svm], [move]] = [wallets.evm, wallets.cosmos, wallets.svm, wallets.move]
  const held = {
    evm: secp256k1(evm.privateKey, 'der'),
    cosmos: secp256k1(`0x${cosmos.privateKey.replace(/^0x/, '')}`, 'compact'),
    svm: ed25519(base58(svm.secretKey).subarray(0, 32)),
    // A flag for the scheme, then the seed: https://docs.sui.io/references/cli/keytool (read 2026-11-22).
    move: ed25519(bech32(move.secretKey).subarray(1, 33)),
  }
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request)
    const key = held[request.url.slice(1)]
    response.writeHead(key ? 200 : 404).end(key?.sign(Buffer.from(Buffer.concat(chunks).toString(), 'hex')).toString('hex'))
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const addresses = { evm: evm.address, cosmos: cosmos.addresses['cosmos:cosmoshub-4'], svm: svm.address, move: move.address }
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    keys: Object.fromEntries(
      Object.entries(held).map(([name, { publicKey }]) => [name, { name, address: addresses[name], publicKey: publicKey.toString('hex') }]),
    ),
    close: () => new Promise((done) => server.close(done).closeAllConnections()),
  }
}

/** As most services answer: r and s in DER, or one behind the other. */
function secp256k1(privateKey, form) {
  const key = new SigningKey(privateKey)
  return {
    publicKey: Buffer.from(key.compressedPublicKey.slice(2), 'hex'),
    sign(hash) {
      const parts = [key.sign(hash).r, key.sign(hash).s].map((part) => Buffer.from(part.slice(2), 'hex'))
      if (form === 'compact') return Buffer.concat(parts)
      const integers = parts.map((part) => {
        const least = part.subarray(part.findIndex((byte) => byte !== 0))
        const positive = least[0] > 127 ? Buffer.concat([Buffer.of(0), least]) : least
        return Buffer.concat([Buffer.of(2, positive.length), positive])
      })
      const inside = Buffer.concat(integers)
      return Buffer.concat([Buffer.of(0x30, inside.length), inside])
    },
  }
}

function ed25519(seed) {
  const key = createPrivateKey({ key: Buffer.concat([Buffer.from(PKCS8, 'hex'), seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return { publicKey: Buffer.from(x, 'base64url'), sign: (message) => sign(null, message, key) }
}

function base58(text) {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const value = [...text].reduce((sum, char) => sum * 58n + BigInt(alphabet.indexOf(char)), 0n)
  return Buffer.from(value.toString(16).padStart(128, '0'), 'hex')
}

/** The bytes of a bech32 text whose checksum is not looked at: it is the sandbox's own. */
function bech32(text) {
  const digits = [...text.slice(text.lastIndexOf('1') + 1, -6)].map((char) => 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.indexOf(char))
  const bits = digits.map((digit) => digit.toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))
}
