import type { SandboxError } from '@svc/sandbox'
import { type EvmChain, multicallAbi, multicallAddress, startEvmChain } from '@svc/sandbox-evm'
import { concat, dataSlice, getAddress, hexlify, Interface, parseEther, toUtf8Bytes } from 'ethers'
import t, { type Test } from 'tap'
import { addValidator, drive, epochChange, epochOf, putStaking, reward, snapshot, stakingAbi, stakingAddress } from '../sandbox/index.ts'

const calls = new Interface(stakingAbi)
const million = parseEther('1000000')
const R = parseEther('18')
const account = (digits: string) => `0x${digits.padStart(40, '0')}`
const [A, D0, D1] = [account('aa'), account('d0'), account('d1')] as const

/** A chain with validator 12 alone: stake 10 million MON of A, commission 0 unless told, in the set since epoch 2. */
async function start(t: Test, options: { commission?: bigint; nextEpoch?: boolean } = {}) {
  const chain = await startEvmChain({ chainId: 143 })
  t.teardown(() => chain.close())
  await putStaking(chain)
  await drive(chain, addValidator(12, A, options.commission ?? 0n, 10n * million))
  if (options.nextEpoch !== false) await drive(chain, snapshot(), epochChange())
  for (const owner of [A, D0, D1]) await chain.fund(owner, 100n * million)
  return { chain, ...driver(chain) }
}

function driver(chain: EvmChain) {
  const read = async (name: string, args: unknown[] = []) =>
    calls.decodeFunctionResult(name, await chain.call({ to: stakingAddress, data: calls.encodeFunctionData(name, args) }))
  const act = (from: string, name: string, args: unknown[], value = 0n) =>
    chain.send({ from, to: stakingAddress, data: calls.encodeFunctionData(name, args), value })
  return {
    read,
    act,
    delegate: (from: string, amount: bigint) => act(from, 'delegate', [12], amount),
    delegator: async (owner: string) => (await read('getDelegator', [12, owner])).toObject(),
    request: async (owner: string, slot: number) => (await read('getWithdrawalRequest', [12, owner, slot])).toObject(),
    unclaimed: async (owner: string) => (await read('getDelegator', [12, owner])).unclaimedRewards as bigint,
    nextEpoch: () => drive(chain, snapshot(), epochChange()),
  }
}

/** What of a log names its event. */
interface Log {
  readonly topics: readonly string[]
  readonly data: string
}

/** The refusal's bytes are the bare text, nothing around it. */
function refuses(t: Test, attempt: Promise<unknown>, text: string) {
  return t.rejects(attempt, { code: 'RPC_ERROR', data: hexlify(toUtf8Bytes(text)) }, text)
}

t.test('stakes that begin and end at different epochs earn what the rules give them', async (t) => {
  const { chain, act, delegate, delegator, request, unclaimed, nextEpoch } = await start(t)
  t.same(await epochOf(chain), { epoch: 2, inDelayPeriod: false })
  await delegate(D0, 10n * million)
  await drive(chain, snapshot())
  await delegate(D1, 10n * million)
  for (let i = 0; i < 3; i++) await drive(chain, reward(12, R))
  await drive(chain, epochChange())
  await drive(chain, reward(12, R))
  await nextEpoch()
  await drive(chain, reward(12, R))

  // A 3R + R/2 + R/3, D0 R/2 + R/3, D1 R/3; each division may lose a wei.
  t.same(await epochOf(chain), { epoch: 4, inDelayPeriod: false })
  for (const [owner, expected] of [
    [A, 69],
    [D0, 15],
    [D1, 6],
  ] as const) {
    const earned = await unclaimed(owner)
    t.ok(earned <= parseEther(String(expected)) && earned > parseEther(String(expected)) - 10n, `${expected}: ${earned}`)
  }

  await act(D0, 'undelegate', [12, 10n * million, 1])
  t.match(await request(D0, 1), { withdrawalAmount: 10n * million, withdrawEpoch: 5n })
  await drive(chain, snapshot())
  await act(D1, 'undelegate', [12, 10n * million, 1])
  t.match(await request(D1, 1), { withdrawalAmount: 10n * million, withdrawEpoch: 6n })

  await drive(chain, epochChange())
  t.equal((await epochOf(chain)).epoch, 5)
  await refuses(t, act(D0, 'withdraw', [12, 1]), 'withdrawal not ready')
  await nextEpoch()
  await act(D0, 'withdraw', [12, 1])
  t.match(await request(D0, 1), { withdrawalAmount: 0n, accRewardPerToken: 0n, withdrawEpoch: 0n })
  await refuses(t, act(D1, 'withdraw', [12, 1]), 'withdrawal not ready')
  await nextEpoch()
  t.equal((await epochOf(chain)).epoch, 7)
  await act(D1, 'withdraw', [12, 1])

  await delegate(D0, million)
  t.match(await delegator(D0), { stake: 0n, deltaStake: million, deltaEpoch: 8n, nextDeltaStake: 0n, nextDeltaEpoch: 0n })
  await drive(chain, snapshot())
  await delegate(D0, 2n * million)
  t.match(await delegator(D0), { stake: 0n, deltaStake: million, deltaEpoch: 8n, nextDeltaStake: 2n * million, nextDeltaEpoch: 9n })
})

t.test('deltas become stake at their own epochs, however late anybody looks', async (t) => {
  const { chain, delegate, delegator, nextEpoch } = await start(t)
  await delegate(D0, million)
  await drive(chain, snapshot())
  await delegate(D0, 2n * million)
  await drive(chain, epochChange())
  // Epoch 3: the first counts, and what came in the delay period has moved up.
  t.match(await delegator(D0), { stake: million, deltaStake: 2n * million, deltaEpoch: 4n, nextDeltaStake: 0n, nextDeltaEpoch: 0n })
  await nextEpoch()
  await nextEpoch()
  t.match(await delegator(D0), { stake: 3n * million, deltaStake: 0n, deltaEpoch: 0n, nextDeltaStake: 0n, nextDeltaEpoch: 0n })
})

t.test('a request earns until its stake stops to count, and pays that with it', async (t) => {
  const { chain, act, delegate, unclaimed, nextEpoch } = await start(t)
  await delegate(D0, 10n * million)
  await nextEpoch()
  await act(D0, 'undelegate', [12, 10n * million, 255])
  await drive(chain, reward(12, R))
  await nextEpoch()
  // This one comes after the stake has stopped to count: it is A's alone.
  await drive(chain, reward(12, R))
  await nextEpoch()
  const before = await chain.balance(D0)
  const receipt = await act(D0, 'withdraw', [12, 255])
  const event = calls.parseLog(receipt.logs[0]!)
  t.equal(event?.name, 'Withdraw')
  t.equal(event?.args.amount, 10n * million + R / 2n)
  t.ok((await chain.balance(D0)) - before > 10n * million)
  t.equal(await unclaimed(A), R / 2n + R)
})

t.test('claim pays out what was earned, and compound delegates it', async (t) => {
  const { chain, act, delegate, delegator, unclaimed, nextEpoch } = await start(t)
  await delegate(D0, 10n * million)
  await nextEpoch()
  await drive(chain, reward(12, R))
  t.equal(await unclaimed(D0), R / 2n)

  const claimed = await act(D0, 'claimRewards', [12])
  t.match(calls.parseLog(claimed.logs[0]!), { name: 'ClaimRewards', args: [12n, '0x00000000000000000000000000000000000000d0', R / 2n, 3n] })
  t.equal(await unclaimed(D0), 0n)
  t.equal((await act(D0, 'claimRewards', [12])).logs.length, 0, 'nothing to claim is a success that does nothing')

  const compounded = await act(A, 'compound', [12])
  t.same(
    compounded.logs.map((log) => calls.parseLog(log)?.name),
    ['ClaimRewards', 'Delegate'],
  )
  t.match(await delegator(A), { stake: 10n * million, deltaStake: R / 2n, deltaEpoch: 4n, unclaimedRewards: 0n })
  t.equal((await act(A, 'compound', [12])).logs.length, 0)

  // 15 wei each: too little to delegate, enough to claim.
  await drive(chain, reward(12, 30n))
  await refuses(t, act(A, 'compound', [12]), 'delegation is too small')
  await act(A, 'claimRewards', [12])
  t.equal(await unclaimed(A), 0n)
})

t.test('commission goes to the owner of the validator, the rest to all stake', async (t) => {
  const { chain, delegate, unclaimed, nextEpoch, read } = await start(t, { commission: parseEther('0.1') })
  await delegate(D0, 10n * million)
  await nextEpoch()
  await drive(chain, reward(12, R))
  // The precompile tells what is left for the delegators, in the name of the account that the chain's own transactions come from.
  const [rewarded] = (await chain.rpc('eth_getLogs', [
    { address: stakingAddress, topics: [calls.getEvent('ValidatorRewarded')!.topicHash] },
  ])) as Log[]
  t.same(calls.parseLog(rewarded!)?.args.toArray(), [12n, '0x6f49a8F621353f12378d0046E7d7e4b9B249DC9e', parseEther('16.2'), 3n])
  t.equal(await unclaimed(A), parseEther('9.9'))
  t.equal(await unclaimed(D0), parseEther('8.1'))
  t.match((await read('getValidator', [12])).toObject(), {
    authAddress: '0x00000000000000000000000000000000000000AA',
    flags: 0n,
    stake: 20n * million,
    commission: parseEther('0.1'),
    consensusStake: 20n * million,
    consensusCommission: parseEther('0.1'),
    snapshotStake: 10n * million,
    unclaimedRewards: parseEther('16.2'),
    secpPubkey: /^0x02[0-9a-f]{64}$/,
    blsPubkey: /^0x[0-9a-f]{96}$/,
  })
})

t.test('no sequence of actions pays out more than was paid in', async (t) => {
  const { chain, act, delegate, nextEpoch, delegator, read } = await start(t)
  // Odd amounts, so that every division leaves a rest.
  await delegate(D0, 3n * million + 7n)
  await nextEpoch()
  await drive(chain, reward(12, R + 1n))
  await delegate(D1, 5n * million + 11n)
  await act(D0, 'undelegate', [12, million + 3n, 0])
  await drive(chain, snapshot(), reward(12, R + 13n))
  await delegate(D1, 17n * 10n ** 9n + 1n)
  await act(D0, 'compound', [12])
  await drive(chain, epochChange(), reward(12, 101n * R + 7n))
  await nextEpoch()
  await nextEpoch()
  await drive(chain, reward(12, R + 5n))
  await act(D0, 'withdraw', [12, 0])
  for (const owner of [A, D0, D1]) {
    await act(owner, 'claimRewards', [12])
    const { stake } = await delegator(owner)
    await act(owner, 'undelegate', [12, stake, 9])
  }
  await nextEpoch()
  await nextEpoch()
  for (const owner of [A, D0, D1]) await act(owner, 'withdraw', [12, 9])
  const left = await chain.balance(stakingAddress)
  t.ok(left >= 0n && left < 100n, `only rests of divisions are left: ${left} wei`)
  t.equal((await read('getValidator', [12])).stake, 0n)
})

t.test('what would remain as dust leaves with the request', async (t) => {
  const { act, delegate, delegator, request, nextEpoch } = await start(t)
  await delegate(D0, 10n ** 9n + 300n)
  await nextEpoch()
  await act(D0, 'undelegate', [12, 10n ** 9n, 3])
  t.match(await request(D0, 3), { withdrawalAmount: 10n ** 9n + 300n, withdrawEpoch: 4n })
  t.match(await delegator(D0), { stake: 0n, accRewardPerToken: 0n })
})

t.test('amounts of zero succeed and do nothing', async (t) => {
  const { act, delegator } = await start(t)
  t.equal((await act(D0, 'delegate', [12])).logs.length, 0)
  t.equal((await act(D0, 'undelegate', [12, 0, 0])).logs.length, 0)
  t.match(await delegator(D0), { stake: 0n, deltaStake: 0n })
})

t.test('every refusal is the bare text that the precompile reverts with', async (t) => {
  const { chain, act, delegate, nextEpoch, read } = await start(t)
  await delegate(D0, 10n ** 9n)
  await nextEpoch()
  await refuses(t, act(D0, 'delegate', [13], 10n ** 9n), 'unknown validator')
  await refuses(t, act(D0, 'undelegate', [13, 1, 0]), 'unknown validator')
  await refuses(t, act(D0, 'delegate', [12], 10n ** 9n - 1n), 'delegation is too small')
  await refuses(t, act(D0, 'undelegate', [12, 10n ** 9n + 1n, 0]), 'insufficient stake')
  await refuses(t, act(D0, 'withdraw', [12, 0]), 'unknown withdrawal id')
  await act(D0, 'undelegate', [12, 10n ** 9n, 0])
  await refuses(t, act(D0, 'undelegate', [12, 1, 0]), 'withdrawal id exists')
  await refuses(t, act(D0, 'withdraw', [12, 0]), 'withdrawal not ready')
  await refuses(t, act(D0, 'claimRewards', [12], 1n), 'value is nonzero')

  const raw = (data: string) => chain.call({ from: D0, to: stakingAddress, data })
  const claim = calls.encodeFunctionData('claimRewards', [12])
  await refuses(t, raw(concat([claim, '0x00'])), 'invalid input')
  await refuses(t, raw(dataSlice(claim, 0, 35)), 'input too short')
  const longer = await raw(concat([calls.encodeFunctionData('getEpoch'), '0x00']))
  t.equal(longer, await raw(calls.encodeFunctionData('getEpoch')), 'a call without arguments does not look at what follows')
  await refuses(t, raw('0xdeadbeef'), 'method not supported')
  await refuses(t, raw('0x'), 'method not supported')

  // The bytes as the precompile's table has them, so that this does not rest on our own encoding of the texts.
  const bytesOf = (name: string, args: unknown[], value = 0n) =>
    chain.call({ from: D0, to: stakingAddress, data: calls.encodeFunctionData(name, args), value }).then(
      () => 'answered',
      (error: SandboxError) => error.data,
    )
  t.equal(await bytesOf('withdraw', [12, 9]), '0x756e6b6e6f776e207769746864726177616c206964')
  t.equal(await bytesOf('withdraw', [12, 0]), '0x7769746864726177616c206e6f74207265616479')
  t.equal(await bytesOf('undelegate', [12, 1, 0]), '0x7769746864726177616c20696420657869737473')
  t.equal(await bytesOf('undelegate', [12, 1, 1]), '0x696e73756666696369656e74207374616b65')
  for (const name of ['claimRewards', 'compound'])
    t.equal(await bytesOf(name, [13]), 'answered', 'of one that is not there nobody has rewards, and the node says nothing else')
  t.equal(await bytesOf('delegate', [12], 1n), '0x64656c65676174696f6e20697320746f6f20736d616c6c')

  // Dirty high bits of a word do not matter.
  const dirty = concat([calls.getFunction('getValidator')!.selector, `0x${'ff'.repeat(24)}000000000000000c`])
  t.equal(calls.decodeFunctionResult('getValidator', await raw(dirty)).stake, (await read('getValidator', [12])).stake)
})

t.test('what nobody has ever used answers zeros', async (t) => {
  const { read } = await start(t)
  t.same([...(await read('getDelegator', [12, D1]))], [0n, 0n, 0n, 0n, 0n, 0n, 0n])
  t.same([...(await read('getDelegator', [99, D1]))], [0n, 0n, 0n, 0n, 0n, 0n, 0n])
  t.same([...(await read('getWithdrawalRequest', [99, D1, 255]))], [0n, 0n, 0n])
  const nobody = '0x0000000000000000000000000000000000000000'
  t.same(
    [...(await read('getValidator', [99]))],
    [nobody, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, `0x${'00'.repeat(33)}`, `0x${'00'.repeat(48)}`],
  )
})

t.test('only a plain call is answered', async (t) => {
  const { chain } = await start(t)
  // Calls the precompile with its own calldata by the given opcode and returns the success flag:
  // CALLDATACOPY(0,0,size); opcode(gas, 0x1000, [value 0,] 0, size, 0, 0); MSTORE(0, flag); RETURN(0, 32).
  const wrapper = (opcode: string, takesValue: boolean) =>
    `0x36600060003760006000366000${takesValue ? '6000' : ''}6110005a${opcode}60005260206000f3`
  const succeeds = async (opcode: string, takesValue: boolean) => {
    const at = account(`ca11${opcode}`)
    await chain.setCode(at, wrapper(opcode, takesValue))
    return BigInt(await chain.call({ to: at, data: calls.encodeFunctionData('getEpoch'), gas: 1_000_000n })) === 1n
  }
  t.equal(await succeeds('f1', true), true, 'CALL')
  t.equal(await succeeds('fa', false), false, 'STATICCALL')
  t.equal(await succeeds('f4', false), false, 'DELEGATECALL')
})

t.test('a delegator and all 256 slots are read in one multicall', async (t) => {
  const { chain, act, delegate, nextEpoch } = await start(t)
  await delegate(D0, 10n * million)
  await nextEpoch()
  for (const slot of [0, 7, 255]) await act(D0, 'undelegate', [12, BigInt(slot + 1) * 10n ** 9n, slot])
  const multicall = new Interface(multicallAbi)
  const sub = (name: string, args: unknown[]) => ({
    target: stakingAddress,
    allowFailure: true,
    callData: calls.encodeFunctionData(name, args),
  })
  const slots = Array.from({ length: 256 }, (_, slot) => sub('getWithdrawalRequest', [12, D0, slot]))
  const data = multicall.encodeFunctionData('aggregate3', [[sub('getEpoch', []), sub('getDelegator', [12, D0]), ...slots]])
  const [results] = multicall.decodeFunctionResult('aggregate3', await chain.call({ to: multicallAddress, data }))
  t.equal(results.length, 258)
  t.ok(results.every(([success]: [boolean]) => success))
  t.equal(calls.decodeFunctionResult('getEpoch', results[0][1]).epoch, 3n)
  t.equal(calls.decodeFunctionResult('getDelegator', results[1][1]).stake, 10n * million - 265n * 10n ** 9n)
  const used = results.slice(2).flatMap(([, bytes]: [boolean, string], slot: number) => {
    const { withdrawalAmount } = calls.decodeFunctionResult('getWithdrawalRequest', bytes)
    return withdrawalAmount > 0n ? [[slot, withdrawalAmount]] : []
  })
  t.same(used, [
    [0, 10n ** 9n],
    [7, 8n * 10n ** 9n],
    [255, 256n * 10n ** 9n],
  ])
})

t.test('delegators and delegations are listed in pages of 50, and leave with their last stake', async (t) => {
  const { chain, act, delegate, nextEpoch, read } = await start(t)
  const owners = Array.from({ length: 60 }, (_, index) => account(`e${(index + 256).toString(16)}`))
  for (const owner of owners) {
    await chain.fund(owner, '10')
    await delegate(owner, parseEther('1'))
  }
  await nextEpoch()
  const pages = async () => {
    const found: string[] = []
    const sizes: number[] = []
    for (let next = account('0'); ; ) {
      const page = await read('getDelegators', [12, next])
      found.push(...page.delegators.map((address: string) => address.toLowerCase()))
      sizes.push(page.delegators.length)
      next = page.nextDelegator
      if (page.isDone) return { found, sizes }
    }
  }
  t.same(await pages(), { found: [...owners.toReversed(), A], sizes: [50, 11] }, 'who joined last comes first')
  await act(owners[3]!, 'undelegate', [12, parseEther('1'), 0])
  const { found } = await pages()
  t.notOk(found.includes(owners[3]!))
  t.equal(new Set(found).size, 60)
  t.same([...(await read('getDelegations', [owners[4], 0]))], [true, 0n, [12n]])
  t.same([...(await read('getDelegations', [owners[3], 0]))], [true, 0n, []])
  t.same(
    await read('getDelegators', [12, owners[3]]),
    [true, getAddress(owners[3]!), []],
    'a page from one that has left is the end, and names it',
  )
  t.same([...(await read('getConsensusValidatorSet', [7]))], [true, 7n, []], 'a place beyond the set is given back')
})

t.test('a validator without enough stake leaves the set at the next boundary, and earns nothing then', async (t) => {
  const { chain, act, nextEpoch, read } = await start(t)
  t.same([...(await read('getConsensusValidatorSet', [0]))], [true, 1n, [12n]])
  t.equal((await read('getProposerValId')).valId, 12n)
  await act(A, 'undelegate', [12, 10n * million - parseEther('99999'), 0])
  t.equal((await read('getValidator', [12])).flags, 3n)
  t.same([...(await read('getExecutionValidatorSet', [0]))], [true, 0n, []])
  // It was in the set when this epoch began.
  await drive(chain, reward(12, R))
  await drive(chain, snapshot(), reward(12, R))
  t.same([...(await read('getConsensusValidatorSet', [0]))], [true, 0n, []])
  t.same([...(await read('getSnapshotValidatorSet', [0]))], [true, 1n, [12n]])
  await drive(chain, epochChange())
  await t.rejects(drive(chain, reward(12, R)), { code: 'RPC_ERROR' })
  await nextEpoch()
})

t.test('calls and events have the selectors and topics of the precompile', async (t) => {
  const selectors = {
    delegate: '0x84994fec',
    undelegate: '0x5cf41514',
    withdraw: '0xaed2ee73',
    compound: '0xb34fea67',
    claimRewards: '0xa76e2ca5',
    getEpoch: '0x757991a8',
    getDelegator: '0x573c1ce0',
    getWithdrawalRequest: '0x56fa2045',
    getValidator: '0x2b6d639a',
    getConsensusValidatorSet: '0xfb29b729',
    getSnapshotValidatorSet: '0xde66a368',
    getExecutionValidatorSet: '0x7cb074df',
    getDelegations: '0x4fd66050',
    getDelegators: '0xa0843a26',
    getProposerValId: '0xfbacb0be',
  }
  for (const [name, selector] of Object.entries(selectors)) t.equal(calls.getFunction(name)?.selector, selector, name)
  const topics = {
    Delegate: '0xe4d4df1e1827dd28252fd5c3cd7ebccd3da6e0aa31f74c828f3c8542af49d840',
    Undelegate: '0x3e53c8b91747e1b72a44894db10f2a45fa632b161fdcdd3a17bd6be5482bac62',
    Withdraw: '0x63030e4238e1146c63f38f4ac81b2b23c8be28882e68b03f0887e50d0e9bb18f',
    ClaimRewards: '0xcb607e6b63c89c95f6ae24ece9fe0e38a7971aa5ed956254f1df47490921727b',
    EpochChanged: '0x4fae4dbe0ed659e8ce6637e3c273cd8e4d3bf029b9379a9e8b3f3f27dbef809b',
    ValidatorRewarded: '0x3a420a01486b6b28d6ae89c51f5c3bde3e0e74eecbb646a0c481ccba3aae3754',
  }
  for (const [name, topic] of Object.entries(topics)) t.equal(calls.getEvent(name)?.topicHash, topic, name)
})
