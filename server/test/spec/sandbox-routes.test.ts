import { request } from 'node:http'
import { createClient } from '@svc/client'
import { evmThree } from '@svc/intent-evm-three'
import { hubOne } from '@svc/intent-hub'
import { moveNative } from '@svc/intent-move-native'
import { svmNative } from '@svc/intent-svm-native'
import t from 'tap'
import { call, get, manager, P, post, sandbox, stranger } from '../support/service.ts'
import { trust } from '../support/trust.ts'

const S = '/api/v1/sandbox'
const operator = { token: sandbox.operatorToken }

/** Asks with headers that `fetch` sets by itself. */
function raw(path: string, headers: Record<string, string>): Promise<{ status: number | undefined; json: any }> {
  return new Promise((resolve, reject) => {
    const asked = request(sandbox.baseUrl + path, { headers, agent: false }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode, json: JSON.parse(text) })
    })
    asked.once('error', reject).end()
  })
}

t.test('the sign-in page of this machine is told the tokens, and nobody else is', async (t) => {
  const { port } = new URL(sandbox.baseUrl)
  const told = { operator_token: sandbox.operatorToken, management_token: sandbox.managementToken, api_key: /^svc_/ }
  t.match(await get(`${S}/tokens`, stranger), { status: 200, json: told })
  t.match(await raw(`${S}/tokens`, { host: `localhost:${port}`, origin: `http://localhost:${port}` }), { status: 200, json: told })
  for (const headers of [
    { host: `staking.example:${port}` },
    { host: `127.0.0.1:${port}`, origin: 'https://elsewhere.example' },
    { host: `127.0.0.1:${port}`, 'x-forwarded-for': '203.0.113.9' },
    { host: `127.0.0.1:${port}`, forwarded: 'for=203.0.113.9' },
  ])
    t.match(await raw(`${S}/tokens`, headers), { status: 403, json: { code: 'SANDBOX_FOREIGN' } }, JSON.stringify(headers))
})

t.test('both kinds of token see the sandbox, an API key and a stranger do not', async (t) => {
  for (const token of [operator, manager]) {
    const { status, json } = await get(S, token)
    t.equal(status, 200)
    const [evm] = json.chains.filter(({ chain }: { chain: string }) => chain === 'evm:143')
    t.match(evm, { protocols: ['evm-three', 'evm-three-liquid'], block: Number, time: /Z$/, fault: null })
    t.match(evm.operations, [
      { name: 'advance', example: { epochs: 1 } },
      { name: 'fund', example: {} },
      { name: 'fault', example: {} },
    ])
    t.match(
      json.wallets.find(({ family }: { family: string }) => family === 'evm'),
      { label: 'Wallet 1', address: /^0xf39F/, public_key: null },
    )
    t.match(json.wallets.find(({ family }: { family: string }) => family === 'cosmos').public_key, /^0[23][0-9a-f]{64}$/)
    t.notMatch(JSON.stringify(json), /privateKey|secretKey|mnemonic|suiprivkey|ac0974bec39a17e3/, 'no key of a wallet leaves the sandbox')
    t.match(json, { api_key: /^svc_/, trust: await trust() })
  }
  t.match(await get(S), { status: 401, json: { code: 'TOKEN_MISSING' } })
  t.match(await post(`${S}/chains/evm/143/advance`, { seconds: 1 }, stranger), { status: 401 })
  t.match(await post(`${S}/wallets/sign`, {}, stranger), { status: 401 })
  t.match((await get('/api/v1/session', operator)).json, { kind: 'operator', account: null, sandbox: true, accounts: [{ id: 'demo' }] })
})

t.test('a chain does what the control port does, with its answers, and says what would be right', async (t) => {
  const stands = async () => (await get(S, operator)).json.chains.find(({ chain }: { chain: string }) => chain === 'evm:143')
  const before = await stands()
  t.match(await post(`${S}/chains/evm/143/advance`, { epochs: 1 }, operator), { status: 200, json: { block: Number, epoch: Number } })
  const after = await stands()
  t.ok(after.block > before.block && after.time > before.time, 'its clock went on')
  t.match(await post(`${S}/chains/evm/143/mine`, undefined, operator), { status: 200, json: { block: Number } }, 'nothing is an empty body')
  // The service's own looks ask this chain as well, each for one of these times: more than they can use up.
  const fault = { kind: 'delay', ms: 1, times: 1_000_000 }
  t.match(await post(`${S}/chains/evm/143/fault`, fault, operator), { json: { fault } })
  t.match((await stands()).fault, { kind: 'delay', ms: 1, times: Number })
  await post(`${S}/chains/evm/143/fault`, { kind: 'none' }, operator)
  t.equal((await stands()).fault, null)
  for (const [path, body, status, code, said] of [
    ['evm/143/advance', { epochs: 0 }, 400, 'SANDBOX_INPUT_INVALID', /epochs/],
    ['evm/143/advance', { hours: 1 }, 400, 'SANDBOX_INPUT_INVALID', /knows no member "hours": it takes epochs, seconds/],
    ['evm/143/vanish', {}, 404, 'SANDBOX_NOT_FOUND', /^no operation vanish; there are: advance/],
    ['evm/7/advance', {}, 404, 'SANDBOX_NOT_FOUND', /^no chain evm:7 here; there are: .*evm:143/],
  ] as const)
    t.match(await post(`${S}/chains/${path}`, body, operator), { status, json: { code, error: said } }, path)
})

t.test('the stand-in for a custodian signs for the demo wallets, so that a stake of every family lands', async (t) => {
  const signer = (family: string, address: string) => ({
    async sign({ payload }: { readonly payload: Uint8Array }): Promise<string> {
      const { status, json } = await post(
        `${S}/wallets/sign`,
        { family, address, payload: Buffer.from(payload).toString('base64') },
        manager,
      )
      t.equal(status, 200, family)
      return json.prepare.signatures?.[0] ?? json.signature
    },
  })
  const wallet = (family: string) => (sandbox.wallets[family] as readonly any[])[2]
  const protocols = { monad: evmThree, hub: hubOne, sol: svmNative, sui: moveNative }
  const svc = createClient({ trust: await trust(), apiKey: sandbox.apiKey, protocols })
  const { address } = wallet('evm')
  const [hub, sol, sui] = [wallet('cosmos'), wallet('svm').address, wallet('move').address]
  const hubAddress = hub.addresses['cosmos:cosmoshub-4']
  t.match(await svc.monad.send(await (await svc.monad.delegate({ address, amount: '100' })).sign(signer('evm', address))), {
    txHash: /^0x/,
  })
  const atom = await svc.hub.stake({ pubkey: hub.publicKey, amount: '1' })
  t.match(await svc.hub.send(await atom.sign(signer('cosmos', hubAddress))), { txHash: /^[0-9A-F]{64}$/i })
  const lamports = await svc.sol.stake({ wallet_address: sol, amount: '2', sign: true })
  t.match(await svc.sol.send(await lamports.sign(signer('svm', sol))), { txHash: /./ })
  const mist = await svc.sui.stake({ wallet_address: sui, amount: '1' })
  t.match(await svc.sui.send(await mist.sign(signer('move', sui))), { txHash: /./ })

  const crafted = (await post('action/delegate', { address, amount: 100 })).json
  const asked = { family: 'evm', address: address.toLowerCase(), payload: crafted.unsigned_tx_hash_hex }
  const signed = await post(`${S}/wallets/sign`, asked, manager)
  t.match(signed.json, { algorithm: 'secp256k1', signature: /^[0-9a-f]{128}$/, public_key: /^0[23]/, prepare: { v: /^2[78]$/ } })
  t.equal((await call('POST', `${P}/action/prepare`, { ...crafted, ...signed.json.prepare })).status, 200, 'what it answers fits prepare')

  for (const [body, status, code, said] of [
    [{ ...asked, payload: '0x00' }, 400, 'SANDBOX_INPUT_INVALID', /^payload has 1 bytes: the hash of an EVM transaction has 32/],
    [{ ...asked, payload: '00'.repeat(32) }, 400, 'SANDBOX_INPUT_INVALID', /write 0x before hex/],
    [{ ...asked, payload: 'a-b' }, 400, 'SANDBOX_INPUT_INVALID', /0x and hex, or base64/],
    [{ ...asked, address: '0x01' }, 404, 'SANDBOX_NOT_FOUND', /^no wallet "0x01" of evm here; there are: 0xf39F/],
    [{ ...asked, family: 'none' }, 404, 'SANDBOX_NOT_FOUND', /there are: none/],
    [{ family: 'evm' }, 400, 'REQUEST_INVALID', /address/],
  ] as const)
    t.match(await post(`${S}/wallets/sign`, body, manager), { status, json: { code, error: said } }, said.source)
})
