import { ConnectionError, createClient, MismatchError, ServiceError, SignatureError, type TrustDocument } from '@svc/client'
import { ethersSigner, rawSigner } from '@svc/client/signers'
import { evmThree } from '@svc/intent-evm-three'
import { Wallet as EthersWallet, SigningKey } from 'ethers'
import t from 'tap'
import { mined, sandbox } from '../support/service.ts'
import { trust } from '../support/trust.ts'

const pinned: TrustDocument = await trust()
const [, , , { privateKey, address }] = sandbox.wallets.evm as [unknown, unknown, unknown, { privateKey: string; address: string }]
const options = { trust: pinned, apiKey: sandbox.apiKey, protocols: { monad: evmThree } }
const key = new SigningKey(privateKey)
const custodian = rawSigner({ sign: async (hash) => key.sign(hash).serialized })

t.test('a stake, from the trust document to the position, by a custodian that signs hashes only', async (t) => {
  const svc = createClient(options)
  const tx = await svc.monad.delegate({ address, amount: '100.000000000000000001' })
  t.match(
    tx.sentence,
    /^Delegate 100\.000000000000000001 MON to validator 12 through 0x0{36}1000 on eip155:143; fee at most [\d.]+ MON; valid while/,
  )
  t.same(
    tx.assumed.map(({ fact }) => fact),
    ['nonce', 'gasLimit', 'gasPrice'],
  )
  t.same(tx.moves, [
    { kind: 'leaves', asset: 'native', amount: 100000000000000000001n },
    { kind: 'staked', asset: 'native', amount: 100000000000000000001n },
  ])
  const signed = await tx.sign(custodian)
  const sent = await svc.monad.send(signed)
  t.equal(sent.txHash, signed.txHash)
  await mined(sent.txHash)
  const balance = await svc.monad.balance(address)
  t.equal(balance.activating?.units, 100000000000000000001n, 'to the last unit')
  t.equal(balance.activating?.text, '100.000000000000000001')
})

t.test('what a wallet library signs is taken too, and only by the right key', async (t) => {
  const svc = createClient(options)
  const tx = await svc.monad.delegate({ address, amount: 100n * 10n ** 18n })
  await t.resolves(tx.sign(ethersSigner(new EthersWallet(privateKey))))
  const other = new SigningKey(`0x${'11'.repeat(32)}`)
  await t.rejects(tx.sign(rawSigner({ sign: async (hash) => other.sign(hash).serialized })), {
    name: 'MismatchError',
    message: /The signature is not of this transaction: signature should be one by the key of 0x/,
  })
})

t.test('a refusal of the service is an error with its code and sentence', async (t) => {
  const svc = createClient({ ...options, retries: 0 })
  const error = await svc.monad.withdraw({ address, withdrawId: 9 }).catch((reason: unknown) => reason)
  t.ok(error instanceof ServiceError)
  t.match(error, { code: 'NOTHING_TO_WITHDRAW', status: 400, requestId: /./ })
  t.match(String(error), /withdrawId 9 is not in use/)
  await t.rejects(createClient({ ...options, apiKey: 'svc_no', retries: 0 }).monad.info(), { name: 'AuthenticationError', status: 401 })
})

t.test('input that cannot be right is refused before anything leaves', async (t) => {
  const svc = createClient({ ...options, fetch: () => Promise.reject(new Error('asked')) })
  await t.rejects(svc.monad.delegate({ address, amount: 1.5 }), MismatchError)
  await t.rejects(svc.monad.delegate({ address, amount: '1.0000000000000000001' }), /18 decimals at most/)
  await t.rejects(svc.monad.undelegate({ address, amount: '1', withdrawId: 256 }), /from 0 to 255/)
})

t.test('an answer that is not signed by a pinned key is not used', async (t) => {
  const changed: typeof fetch = async (...given) => {
    const response = await fetch(...given)
    const text = (await response.text()).replace('0x', '0X')
    return new Response(text, { status: response.status, headers: response.headers })
  }
  await t.rejects(createClient({ ...options, fetch: changed }).monad.delegate({ address, amount: '100' }), SignatureError)
})

t.test('the answer of another request is not used, though the service has signed it', async (t) => {
  const recorded: Response[] = []
  const recording: typeof fetch = async (...given) => {
    const response = await fetch(...given)
    recorded.push(response.clone())
    return response
  }
  await createClient({ ...options, fetch: recording }).monad.delegate({ address, amount: '100' })
  const [yesterday] = recorded
  const replay: typeof fetch = async () => yesterday?.clone() ?? Response.error()
  await t.rejects(createClient({ ...options, fetch: replay }).monad.delegate({ address, amount: '100' }), {
    name: 'SignatureError',
    message: /does not fit: the answer is to another request/,
  })
})

t.test('a service that nobody reaches is said, and asked again first', async (t) => {
  let asked = 0
  const away: typeof fetch = async () => {
    asked++
    throw new TypeError('fetch failed')
  }
  await t.rejects(createClient({ ...options, fetch: away, retries: 1 }).monad.info(), ConnectionError)
  t.equal(asked, 2)
})

t.test('a validator that changed is refused in a sentence that names both', async (t) => {
  const protocols = pinned.protocols.map(({ path, networks }) => ({
    path,
    networks: networks.map((network) => ({
      ...network,
      terms: { ...network.terms, ...('validator_id' in network.terms && { validator_id: 13 }) },
    })),
  }))
  const svc = createClient({ ...options, trust: { ...pinned, protocols } })
  await t.rejects(svc.monad.delegate({ address, amount: '100' }), {
    message: 'The transaction is not what was asked for, so it cannot be signed: calls[0].args.validator should be 13 and is 12.',
  })
})
