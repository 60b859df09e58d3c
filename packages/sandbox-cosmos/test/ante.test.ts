import { Secp256k1, sha256 } from '@cosmjs/crypto'
import { fromHex } from '@cosmjs/encoding'
import { BroadcastTxError } from '@cosmjs/stargate'
import { SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import { toAddress } from '../src/address.ts'
import { App } from '../src/app.ts'
import { buildState } from '../src/genesis-state.ts'
import { moduleAddress } from '../src/modules/auth.ts'
import { consensusBytes } from '../src/modules/validators.ts'
import { type Bench, bench, celestia, gas, hub, keyOf, privateKey, startTime } from './support.ts'

const both = [hub, celestia]

/** What the node says to bytes. */
async function refusal({ client }: Bench, bytes: Uint8Array): Promise<[codespace: string, code: number, log: string]> {
  const error = (await client.broadcastTxSync(bytes).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as BroadcastTxError | undefined
  if (error === undefined) return ['', 0, '']
  if (!(error instanceof BroadcastTxError)) return failure(error as unknown as Error)
  return [error.codespace, error.code, error.log!]
}

/** What JSON-RPC says of a call that failed instead of being refused. */
function failure(error: Error): [codespace: string, code: number, log: string] {
  if (!error.message.startsWith('{')) throw error
  const { code, data } = JSON.parse(error.message)
  return ['failed', code, data]
}

/** The bytes with another body, signed again. */
async function rewrite(world: Bench, change: (body: TxBody) => void): Promise<Uint8Array> {
  const { bodyBytes, authInfoBytes } = TxRaw.decode(await world.sign(world.delegate('1')))
  const body = TxBody.decode(bodyBytes)
  change(body)
  return resign(world, TxBody.encode(body).finish(), authInfoBytes)
}

async function resign({ client, address, chain }: Bench, bodyBytes: Uint8Array, authInfoBytes: Uint8Array): Promise<Uint8Array> {
  const { accountNumber } = await client.getSequence(address)
  const document = SignDoc.fromPartial({ bodyBytes, authInfoBytes, chainId: chain.chainId, accountNumber: BigInt(accountNumber) })
  const signature = Secp256k1.createSignature(sha256(SignDoc.encode(document).finish()), privateKey)
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature.toFixedLength().slice(0, 64)] }).finish()
}

for (const genesis of both) {
  const { denom, prefix } = genesis
  /** Celestia's node reads a transaction before its checks, and fails where it cannot. */
  const unread = prefix === 'cosmos' ? (['sdk', 2] as const) : (['failed', -32603] as const)
  const ended =
    prefix === 'cosmos'
      ? ': tx parse error: tx parse error$'
      : String.raw`: tx parse error \[celestiaorg/cosmos-sdk@v0\.51\.6/x/auth/tx/decoder\.go:\d+\]$`

  t.test(`${prefix}: a signature for another chain, account number or key, or with a high s, is refused`, async (t) => {
    const world = await bench(t, genesis)
    const why =
      /^signature verification failed; please verify account number \(8\) and chain-id \(.+\): \(unable to verify single signer signature\): unauthorized$/
    const message = world.delegate('1000000')
    for (const how of [{ chainId: 'elsewhere' }, { accountNumber: 9 }]) {
      t.match(await refusal(world, await world.sign(message, how)), ['sdk', 4, why])
    }
    const raw = TxRaw.decode(await world.sign(message))
    const [signature] = raw.signatures as [Uint8Array]
    const withSignature = (bytes: Uint8Array) => TxRaw.encode({ ...raw, signatures: [bytes] }).finish()
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = BigInt(`0x${Buffer.from(signature.slice(32)).toString('hex')}`)
    const high = fromHex((order - s).toString(16).padStart(64, '0'))
    t.match(await refusal(world, withSignature(new Uint8Array([...signature.slice(0, 32), ...high]))), ['sdk', 4, why])
    t.match(await refusal(world, withSignature(signature.slice(0, 63))), ['sdk', 4, why])
    t.match(await refusal(world, withSignature(new Uint8Array(64))), ['sdk', 4, why])
    const unsigned = refusal(world, TxRaw.encode({ ...raw, signatures: [] }).finish())
    if (prefix === 'cosmos') t.match(await unsigned, ['sdk', 15, 'no signatures supplied'])
    else await t.rejects(unsigned, /Bad status on response: 500/)
    t.match(await refusal(world, TxRaw.encode({ ...raw, signatures: [signature, signature] }).finish()), [
      'sdk',
      4,
      /wrong number of signers/,
    ])
    t.same(await refusal(world, withSignature(signature)), ['', 0, ''])
  })

  t.test(`${prefix}: another account's message is refused for the key`, async (t) => {
    const world = await bench(t, genesis)
    const stranger = await bench(t, genesis, { key: keyOf(1) })
    const bytes = await world.sign(stranger.delegate('1'))
    t.match(await refusal(world, bytes), [
      'sdk',
      prefix === 'cosmos' ? 8 : 9,
      prefix === 'cosmos' ? /pubKey does not match signer/ : /does not exist/,
    ])
    await world.chain.fund(stranger.address, '5')
    t.match(await refusal(world, bytes), ['sdk', 8, /^pubKey does not match signer address .* with signer index: 0: invalid pubkey$/])
  })

  t.test(`${prefix}: a wrong sequence is refused, and so is the same transaction again`, async (t) => {
    const world = await bench(t, genesis)
    for (const sequence of [1, 7]) {
      const log = `account sequence mismatch, expected 0, got ${sequence}: incorrect account sequence`
      t.same(await refusal(world, await world.sign(world.delegate('1'), { sequence })), ['sdk', 32, log])
    }
    const bytes = await world.sign(world.delegate('1'))
    t.same(await refusal(world, bytes), ['', 0, ''])
    const again = await refusal(world, bytes)
    if (prefix === 'cosmos') t.match(again, ['failed', -32603, 'tx already exists in cache'])
    else t.match(again, ['sdk', 32, /expected 1, got 0/])
    // A stale one with other bytes has no such shortcut.
    t.match(await refusal(world, await world.sign(world.delegate('2'), { sequence: 0 })), ['sdk', 32, /expected 1, got 0/])
  })

  t.test(`${prefix}: an unknown account is refused`, async (t) => {
    const world = await bench(t, genesis, { fund: '0' })
    const payload = { ...world.fee }
    const signer = { accountNumber: 0n, sequence: 0, chainId: world.chain.chainId }
    const raw = await world.client.sign(world.address, [world.delegate('1')], payload, '', signer)
    t.match(await refusal(world, TxRaw.encode(raw).finish()), ['sdk', 9, /does not exist: unknown address$/])
  })

  t.test(`${prefix}: a fee that the account cannot pay is refused`, async (t) => {
    const world = await bench(t, genesis)
    const fee = { amount: [{ denom, amount: '1000000001' }], gas: String(gas) }
    const [codespace, code, log] = await refusal(world, await world.sign(world.delegate('1'), { fee }))
    t.same([codespace, code], ['sdk', 5])
    t.match(log, `spendable balance 1000000000${denom} is smaller than 1000000001${denom}: insufficient funds`)
  })

  t.test(`${prefix}: too little gas is refused before, and charged after it has begun`, async (t) => {
    const world = await bench(t, genesis)
    const feeFor = (limit: string) => ({ amount: [{ denom, amount: '2000' }], gas: limit })
    const early = await refusal(world, await world.sign(world.delegate('1'), { fee: feeFor('1000') }))
    t.match(early, ['sdk', 11, /^out of gas in location: (ReadPerByte|txSize); gasWanted: 1000, gasUsed: \d+: out of gas$/])
    t.equal(await world.balance(), 1_000_000_000n)
    await world.client.broadcastTxSync(await world.sign(world.delegate('1'), { fee: feeFor('100000') }))
    const { results } = world.chain.node!.latest
    t.match(results, [
      { code: 11, codespace: 'sdk', log: /out of gas in location: (Write|Read)Flat; gasWanted: 100000, gasUsed: 1[59]\d{4}: out of gas/ },
    ])
    t.equal(await world.balance(), 1_000_000_000n - 2000n)
    t.equal((await world.client.getSequence(world.address)).sequence, 1)
  })

  t.test(`${prefix}: a long memo, a passed timeout, and what cannot be read are refused`, async (t) => {
    const world = await bench(t, genesis)
    t.match(await refusal(world, await world.sign(world.delegate('1'), { memo: 'ä'.repeat(129) })), [
      'sdk',
      12,
      'maximum number of characters is 256 but received 258 characters: memo too large',
    ])
    await world.chain.mine(3)
    const { block, timestamp } = world.chain.latest()
    const late = await rewrite(world, (body) => {
      body.timeoutHeight = BigInt(block - 1)
    })
    t.match(await refusal(world, late), ['sdk', 30, `block height: ${block}, timeout height: ${block - 1}: tx timeout height`])
    const later = await rewrite(world, (body) => {
      body.timeoutTimestamp = { seconds: BigInt(timestamp - 1), nanos: 0 }
    })
    t.match(await refusal(world, later), ['sdk', 42, /tx timeout$/])
    const unordered = await rewrite(world, (body) => {
      body.unordered = true
    })
    t.match(await refusal(world, unordered), ['sdk', 37, /unordered transactions are not enabled/])
    const empty = await rewrite(world, (body) => {
      body.messages = []
    })
    t.match(await refusal(world, empty), ['sdk', 18, /at least one message/])
    const strange = await rewrite(world, (body) => {
      body.messages[0]!.typeUrl = '/cosmos.gov.v1.MsgVote'
    })
    t.match(await refusal(world, strange), [...unread, new RegExp(`^unable to resolve type URL /cosmos.gov.v1.MsgVote${ended}`)])

    const good = await world.sign(world.delegate('1'))
    const raw = TxRaw.decode(good)
    t.match(await refusal(world, new Uint8Array([1, 2, 3])), [...unread, new RegExp(ended)])
    // An unknown field behind all others, in the transaction, its body and its message.
    t.match(await refusal(world, new Uint8Array([...good, 0x20, 1])), [...unread, /expected 2 wire type, got 0/])
    t.match(await refusal(world, new Uint8Array([...good, 0x22, 0])), [
      ...unread,
      /errUnknownField "\*tx\.TxRaw": \{TagNum: 4, WireType:"bytes"\}/,
    ])
    const [first, second] = [Buffer.from([0x0a, 1, 65]), Buffer.from([0x12, 1, 65])]
    t.match(await refusal(world, Buffer.concat([second, first])), [...unread, /got tagNum 1 after tagNum 2/])
    t.match(await refusal(world, Buffer.from([0x0a, 0x81, 0x00, 65])), [...unread, /not as short as possible/])
    t.match(await refusal(world, Buffer.from([0x0a, 5, 65])), [...unread, /unexpected EOF/])
    const body = await resign(world, new Uint8Array([...raw.bodyBytes, 0xa0, 0x06, 1]), raw.authInfoBytes)
    t.match(await refusal(world, body), [...unread, /errUnknownField ".*TxBody": \{TagNum: 100, WireType:"varint"\}/])
    const inside = await rewrite(world, (changed) => {
      const message = changed.messages[0]!
      message.value = new Uint8Array([...message.value, 0xa0, 0x06, 1])
    })
    t.match(await refusal(world, inside), [...unread, /errUnknownField ".*MsgDelegate": \{TagNum: 100, WireType:"varint"\}/])
    // The timeout is not over before its height.
    const inTime = await rewrite(world, (changed) => {
      changed.timeoutHeight = BigInt(world.chain.latest().block + 1)
    })
    t.same(await refusal(world, inTime), ['', 0, ''])
  })
}

t.test('with a fee market the fee is compared with the base price, in one coin', async (t) => {
  const world = await bench(t)
  const withFee = (amount: { denom: string; amount: string }[]) => world.sign(world.delegate('1'), { fee: { amount, gas: '300000' } })
  const coin = (amount: string, denom = 'uatom') => ({ denom, amount })
  t.match(await refusal(world, await withFee([coin('1499')])), [
    'sdk',
    13,
    /^error checking fee: got: 1499uatom required: 1500uatom, minGasPrice: 0\.005000000000000000uatom, gas: \d+: insufficient fee$/,
  ])
  t.match(await refusal(world, await withFee([])), ['feemarket', 1, /no fee coin provided/])
  t.match(await refusal(world, await withFee([coin('1500'), coin('1500', 'uosmo')])), ['feemarket', 2, /too many fee coins/])
  t.match(await refusal(world, await withFee([coin('1500', 'uosmo')])), [
    'undefined',
    1,
    'unable to get min gas price for denom uosmo: error resolving denom',
  ])
  // Signed before the price doubled.
  const bytes = await withFee([coin('1500')])
  await world.chain.operations['gas-price']!.run({ price: '0.01' })
  t.match(await refusal(world, bytes), ['sdk', 13, /required: 3000uatom, minGasPrice: 0\.010000000000000000uatom/])
})

t.test('without one the fee is compared with the price of the node', async (t) => {
  const world = await bench(t, celestia)
  const withFee = (amount: string) => world.sign(world.delegate('1'), { fee: { amount: [{ denom: 'utia', amount }], gas: '300000' } })
  const log =
    'insufficient minimum gas price for this node; got fee: 1199 and gas price of 0.003996666666666666 but required at least: 1200.000000000000000000 and a minimum gas price of 0.004000000000000000: insufficient fee'
  t.same(await refusal(world, await withFee('1199')), ['sdk', 13, log])
  t.same(await refusal(world, await withFee('1200')), ['', 0, ''])
})

t.test('with a fee market the signature is looked at before the fee, without one after it', async (t) => {
  for (const [genesis, code] of [[hub, 32] as const, [celestia, 13] as const]) {
    const world = await bench(t, genesis)
    const fee = { amount: [{ denom: genesis.denom, amount: '1' }], gas: String(gas) }
    t.match(await refusal(world, await world.sign(world.delegate('1'), { fee, sequence: 3 })), ['sdk', code])
  }
})

t.test('pending transactions count for the next check, until a block is made', async (t) => {
  const world = await bench(t)
  await world.chain.operations.blocks!.run({ instant: false })
  t.same(await refusal(world, await world.sign(world.delegate('1'))), ['', 0, ''])
  t.match(await refusal(world, await world.sign(world.delegate('2'))), ['sdk', 32, /expected 1, got 0/])
  const expensive = { amount: [{ denom: 'uatom', amount: '999999999' }], gas: String(gas) }
  t.match(await refusal(world, await world.sign(world.delegate('2'), { sequence: 1, fee: expensive })), ['sdk', 5])
  t.same(await refusal(world, await world.sign(world.delegate('2'), { sequence: 1 })), ['', 0, ''])
  t.equal((await world.client.getSequence(world.address)).sequence, 0)
  await world.chain.mine()
  t.match(world.chain.node!.latest.results, [{ code: 0 }, { code: 0 }])
  t.equal((await world.client.getSequence(world.address)).sequence, 2)
  t.equal((await world.client.getDelegation(world.address, world.validator))!.amount, '3')
})

t.test('what exceeds the base price of the gas that was used is the proposer’s', async (t) => {
  const world = await bench(t)
  await world.client.broadcastTxSync(
    await world.sign(world.delegate('1'), { fee: { amount: [{ denom: 'uatom', amount: '5000' }], gas: '200000' } }),
  )
  const { proposer, results } = world.chain.node!.latest
  const { state } = world.chain.node!.app.view()
  const due = (results[0]!.gasUsed * 5n + 999n) / 1000n
  // Not to the account of its operator, but to the address of its key; the rest stays with the fee market.
  t.equal(await world.chain.balance(toAddress('cosmos', consensusBytes(state.validators.existing(proposer)))), 5000n - due)
  t.equal(await world.chain.balance(moduleAddress(hub, 'feemarket-fee-collector')), due)
  await world.chain.mine()
  t.equal(await world.chain.balance(moduleAddress(hub, 'feemarket-fee-collector')), due, 'and is nobody’s reward')
})

t.test('a transaction from outside passes every check', async (t) => {
  // Reference vectors for account 12345 at sequence 7 and account 67890 at sequence 0, made with another implementation.
  const vectors = [
    {
      genesis: hub,
      chainId: 'cosmoshub-4',
      address: 'cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04',
      account: { number: 12345n, sequence: 7n },
      tx: '0aa1010a9e010a232f636f736d6f732e7374616b696e672e763162657461312e4d736744656c656761746512770a2d636f736d6f73316d6e796e37783234786a3676726178656571353664666b7861303039747668676b6e686d30341234636f736d6f7376616c6f706572317967337a7967337a7967337a7967337a7967337a7967337a7967337a7967337a743578336b741a100a057561746f6d12073135303030303012670a500a460a1f2f636f736d6f732e63727970746f2e736563703235366b312e5075624b657912230a21034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff12040a020801180712130a0d0a057561746f6d12043135303010e0a7121a40c9c18f84d76cabd525f0fbb73e555cea873878b6bbe3899985b2cf7ae774ddb666446128707c350682090c8dfab9318a04d12a57f7d18e30325b5af64158ab0d',
    },
    {
      genesis: celestia,
      chainId: 'celestia',
      address: 'celestia1mnyn7x24xj6vraxeeq56dfkxa009tvhg8ext4c',
      account: { number: 67890n, sequence: 0n },
      tx: '0aa4010aa1010a232f636f736d6f732e7374616b696e672e763162657461312e4d736744656c6567617465127a0a2f63656c6573746961316d6e796e37783234786a3676726178656571353664666b786130303974766867386578743463123663656c657374696176616c6f706572317967337a7967337a7967337a7967337a7967337a7967337a7967337a7967337a363470646b6e1a0f0a047574696112073135303030303012640a4e0a460a1f2f636f736d6f732e63727970746f2e736563703235366b312e5075624b657912230a21034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff12040a02080112120a0c0a047574696112043132303010e0a7121a40704efabfce39e6d7c4abce8ab24649e913b75f44a85cd7109b8f88a18418c3b351479fbff490706d1be9ed3f6a3d7eb5088a2c6a8c5ca11b558768cb49fe8978',
    },
  ]
  for (const { genesis, chainId, address, account, tx } of vectors) {
    const state = buildState(chainId, genesis, startTime)
    state.accounts.set(address, account)
    state.balances.set(`${address}/${genesis.denom}`, 5000n)
    const app = new App({ chainId, genesis, state, time: startTime })
    t.match(app.check(fromHex(tx)), { code: 0, log: '', gasWanted: 300_000n })
    // Once more, it is stale.
    t.match(app.check(fromHex(tx)), { code: 32, log: `expected ${account.sequence + 1n}, got ${account.sequence}` })
  }
})
