import { generateKeyPairSync } from 'node:crypto'
import { createClient, SetupError } from '@svc/client'
import { rawSigner } from '@svc/client/signers'
import { verifyWebhook } from '@svc/client/webhooks'
import { evmThree } from '@svc/intent-evm-three'
import t from 'tap'
import { evm, trust } from './support/answers.ts'

const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
const keys = [{ kty: 'OKP', crv: 'Ed25519', kid: 'x', x: String(x) }]
let asked = 0
const options = {
  trust: { ...trust, version: 1 as const, keys },
  apiKey: 'svc_x',
  protocols: { monad: evmThree },
  retries: 0,
  fetch: async () => {
    asked++
    throw new Error('nobody is there')
  },
}
const { monad } = createClient(options)
const { address, amount } = JSON.parse(evm.request)
/** An option that no type has. */
const wrong = (name: string): object => ({ [name]: 1 })

t.test('an option that nothing reads is refused with the one that was meant, and nothing is asked', async (t) => {
  const calls: Readonly<Record<string, (given: object) => Promise<unknown>>> = {
    delegate: (given) => monad.delegate({ address, amount }, given),
    balance: (given) => monad.balance(address, given),
    info: (given) => monad.info(given),
    read: (given) => monad.read('/x', given),
    status: (given) => monad.status('0x1', given),
    settled: (given) => monad.settled('0x1', given),
    track: (given) => monad.track('0x1', given),
    craft: (given) => monad.craftWithoutVerification('craft', {}, given),
  }
  for (const [name, call] of Object.entries(calls)) {
    const error = await call(wrong('identitiy')).catch((found: unknown) => found)
    t.ok(error instanceof SetupError, name)
    t.match(String(error), `${name} has no option "identitiy"; it should be identity; there are signal`)
  }
  t.equal(asked, 0)
  await t.rejects(monad.info({ signal: undefined, identity: 'x' } as object), /could not be reached/, 'what is known is asked with')
  t.equal(asked, 1)
  t.match(
    String(await monad.delegate({ address, amount }, wrong('fact')).catch(String)),
    /delegate has no option "fact"; it should be facts;/,
  )
  t.match(String(await monad.settled('0x1', wrong('onstatus')).catch(String)), /it should be onStatus;/)
})

t.test('so is one of what a client, a protocol, a signer and a webhook are made of', async (t) => {
  t.throws(() => createClient({ ...options, ...wrong('timeoutMS') }), {
    message: /createClient has no option "timeoutMS"; it should be timeoutMs;/,
  })
  t.throws(() => createClient({ ...options, ...wrong('colour') }), { message: /it should be one of trust, protocols, / })
  const chosen = { intent: evmThree, network: '143', ...wrong('networks') }
  t.throws(() => createClient({ ...options, protocols: { monad: chosen } }), {
    message: /protocols\.monad has no option "networks"; it should be network;/,
  })
  t.throws(() => rawSigner({ sign: async () => '', ...wrong('publickey') }), { message: /it should be publicKey;/ })
  await t.rejects(verifyWebhook({ headers: {}, body: '', keys: [], ...wrong('key') }), {
    message: /verifyWebhook has no option "key"; it should be keys;/,
  })
  t.doesNotThrow(() => createClient({ ...options, ...{ nothing: undefined } }), 'what is undefined says nothing')
})
