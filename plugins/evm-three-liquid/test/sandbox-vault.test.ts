import { type EvmChain, multicallAbi, multicallAddress, startEvmChain } from '@svc/sandbox-evm'
import { hexlify, Interface, parseEther, toBeHex, toUtf8Bytes, ZeroAddress } from 'ethers'
import t, { type Test } from 'tap'
import {
  control,
  coreControl,
  coreVaultAbi,
  coreVaultAddress,
  drive,
  gVaultAddress,
  magmaAccount,
  putValidators,
  putVault,
  reward,
  stakingAddress,
  vaultAbi,
  vaultAddress,
} from '../sandbox/index.ts'

const vault = new Interface(vaultAbi)
const core = new Interface(coreVaultAbi)
const account = (digits: string) => `0x${digits.padStart(40, '0')}`
const [A, B, C] = [account('aa'), account('bb'), account('cc')] as const
const DAY = 86_400

/** A vault of 900 shares and 990 MON, all of A, as in the worked example; redemptions take a day. */
async function start(t: Test) {
  const chain = await startEvmChain({ chainId: 143 })
  t.teardown(() => chain.close())
  await putVault(chain)
  await putValidators(chain)
  await drive(chain, control('setRedeemDelay', DAY), coreControl('setValidators', [11, 12]))
  for (const owner of [A, B, C]) await chain.fund(owner, parseEther('10000'))
  const to = { chain, ...driver(chain) }
  await to.act(A, 'depositMON', [A, 0], parseEther('900'))
  await drive(chain, reward(parseEther('90')))
  return to
}

function driver(chain: EvmChain) {
  const read = async (name: string, ...args: unknown[]) =>
    vault.decodeFunctionResult(name, await chain.call({ to: vaultAddress, data: vault.encodeFunctionData(name, args) }))[0]
  const act = (from: string, name: string, args: unknown[], value = 0n) =>
    chain.send({ from, to: vaultAddress, data: vault.encodeFunctionData(name, args), value })
  return {
    read,
    act,
    request: async (id: number, controller: string) => (await read('pendingRedeemRequestData', id, controller)).toObject(),
    pass: (seconds: number) => chain.moveTime(seconds),
  }
}

async function refuses(t: Test, attempt: Promise<unknown>, name: string, ...args: unknown[]): Promise<void> {
  const abi = vault.getError(name) ? vault : core
  await t.rejects(attempt, { code: 'RPC_ERROR', data: abi.encodeErrorResult(name, args) }, name)
}

t.test('shares are converted as worked by hand, and the books follow deposits and requests', async (t) => {
  const { read, act } = await start(t)
  t.same([await read('totalSupply'), await read('totalAssets')], [parseEther('900'), parseEther('990')])
  t.equal(await read('convertToShares', parseEther('110')), 100_000_000_000_000_000_000n)
  t.equal(await read('convertToAssets', parseEther('100')), 109_999_999_999_999_999_999n)
  t.equal(await read('previewDeposit', parseEther('110')), parseEther('100'))
  t.equal(await read('decimals'), 18n)

  const deposited = await act(B, 'depositMON', [C, 7], parseEther('110'))
  t.equal(await read('balanceOf', C), parseEther('100'))
  t.same([await read('totalSupply'), await read('totalAssets')], [parseEther('1000'), parseEther('1100')])
  const events = deposited.logs.map((log) => vault.parseLog(log as never)!)
  t.same(
    events.map(({ name }) => name),
    ['Transfer', 'Deposit', 'DepositWithReferral'],
  )
  t.same(
    events[2]!.args.toArray(),
    [B, C, parseEther('110'), parseEther('100'), 7n].map((each) => (typeof each === 'string' ? checksum(each) : each)),
  )

  await act(C, 'requestRedeem', [parseEther('40'), C, C])
  t.equal(await read('balanceOf', C), parseEther('60'))
  t.equal(await read('totalSupply'), parseEther('960'))
  t.equal(await read('totalAssets'), parseEther('1056') + 1n, 'rounded in favour of those who stay')
})

t.test('rewards raise the price by what the fee leaves of them', async (t) => {
  const { chain, read } = await start(t)
  await drive(chain, control('setFees', 1_000, 25), reward(parseEther('10')))
  t.equal(await read('totalAssets'), parseEther('999'))
  t.same([await read('rewardsFee'), await read('withdrawalFee')], [1_000n, 25n])
})

t.test('a request goes through its times, and its amount stays what it was', async (t) => {
  const { chain, read, act, request, pass } = await start(t)
  const made = await act(A, 'requestRedeem', [parseEther('100'), A, A])
  const { timestamp } = await chain.latest()
  t.equal(await read('ownerRequestId', A), 1n)
  t.same(await request(1, A), {
    owner: checksum(A),
    isGVault: false,
    shares: parseEther('100'),
    assets: 109_999_999_999_999_999_999n,
    claimableTime: BigInt(timestamp + DAY),
  })
  const event = vault.parseLog(made.logs.at(-1) as never)!
  t.same([event.name, ...event.args.toArray()], ['RedeemRequest', checksum(A), checksum(A), 1n, checksum(A), parseEther('100')])
  t.same([await read('pendingRedeemRequest', 1, A), await read('claimableRedeemRequest', 1, A)], [parseEther('100'), 0n])

  await drive(chain, reward(parseEther('500')))
  await pass(DAY - 100)
  // Its stake has left its validators: what is earned now is those'.
  await drive(chain, reward(parseEther('500')))
  await refuses(t, act(A, 'redeemMON', [1, A, A]), 'ErrRequestPending')
  await pass(100)
  t.same([await read('pendingRedeemRequest', 1, A), await read('claimableRedeemRequest', 1, A)], [0n, parseEther('100')])
  const before = await chain.balance(B)
  const paid = await act(A, 'redeemMON', [1, A, B])
  t.equal((await chain.balance(B)) - before, 165_555_555_555_555_555_554n, 'with what its stake earned until it left: 500 × 110 ÷ 990')
  const withdrawn = vault.parseLog(paid.logs.at(-1) as never)!
  t.same([withdrawn.name, ...withdrawn.args.toArray().slice(0, 3)], ['Withdraw', checksum(A), checksum(B), checksum(A)])
  t.equal(await read('ownerRequestId', A), 0n)
  t.same(await request(1, A), { owner: ZeroAddress, isGVault: false, shares: 0n, assets: 0n, claimableTime: 0n })
  await refuses(t, act(A, 'redeemMON', [1, A, A]), 'ErrRequestInexistent')

  await act(A, 'requestRedeem', [1, A, A])
  t.equal(await read('ownerRequestId', A), 2n, 'numbers grow')
})

t.test('a request is checked in the order of the contract', async (t) => {
  const { chain, act } = await start(t)
  const ask = (from: string, shares: bigint, controller: string, owner: string) => act(from, 'requestRedeem', [shares, controller, owner])
  await drive(chain, coreControl('setMinUserWithdrawAmount', parseEther('10')))
  const much = parseEther('10000')
  await refuses(t, ask(B, 0n, ZeroAddress, A), 'ErrZeroAddress')
  await refuses(t, ask(B, 0n, B, A), 'ErrZeroShares')
  await refuses(t, ask(B, much, B, A), 'ErrNotAuthorized')
  await refuses(t, ask(A, much, A, A), 'ErrInsufficientShares', much, parseEther('900'))
  await refuses(t, ask(A, 1n, A, A), 'ErrBelowMinWithdraw', parseEther('10'))
  await drive(chain, coreControl('setUndelegatable', parseEther('20')))
  await refuses(t, ask(A, parseEther('100'), A, A), 'ErrInsufficientDelegated', 109_999_999_999_999_999_999n, parseEther('20'))
  await ask(A, parseEther('10'), A, A)
  await refuses(t, ask(B, 0n, B, A), 'ErrRequestPending')
  await drive(chain, control('setPaused', true))
  await refuses(t, ask(B, 0n, ZeroAddress, A), 'EnforcedPause')
  await refuses(t, act(B, 'depositMON', [B, 0], 1n), 'EnforcedPause')
  await refuses(t, act(A, 'redeemMON', [1, A, A]), 'EnforcedPause')
  await drive(chain, control('setPaused', false), coreControl('setPaused', true))
  await refuses(t, act(B, 'depositMON', [B, 0], 1n), 'EnforcedPause')
  await refuses(t, act(B, 'depositMONGVault', [B, 12, 0], 0n), 'ErrZeroShares')
})

t.test('an overdue claim of rewards and a pool without validators stop requests', async (t) => {
  const { chain, act } = await start(t)
  await drive(chain, coreControl('setMaxRewardsClaimDelay', DAY))
  await chain.moveTime(2 * DAY)
  await refuses(t, act(A, 'requestRedeem', [parseEther('1'), A, A]), 'ErrRewardsClaimOverdue')
  await drive(chain, reward(1n), coreControl('setValidators', []))
  await refuses(t, act(A, 'requestRedeem', [parseEther('1'), A, A]), 'ErrNoValidators')
  await refuses(t, act(A, 'depositMON', [A, 0], parseEther('1')), 'ErrNoValidators')
  await drive(chain, coreControl('setValidators', [11]))
  await act(A, 'requestRedeem', [parseEther('1'), A, A])
})

t.test('who may claim: owner, controller, an operator of either, and who owns the vault', async (t) => {
  const { chain, read, act, pass } = await start(t)
  await act(A, 'setOperator', [B, true])
  t.equal(await read('isOperator', A, B), true)
  await act(B, 'requestRedeem', [parseEther('10'), C, A])
  await pass(DAY)
  const claim = (from: string, receiver: string) =>
    chain.call({ from, to: vaultAddress, data: vault.encodeFunctionData('redeemMON', [1, C, receiver]) })
  for (const from of [A, B, C, magmaAccount]) await t.resolves(claim(from, from), from)
  await refuses(t, claim(account('dd'), A), 'ErrNotAuthorized')
  await refuses(t, claim(A, ZeroAddress), 'ErrZeroAddress')
  await refuses(t, claim(A, multicallAddress), 'ErrNativeTransferFailed')
})

t.test('what is paid is less the fee, rounded in favour of the pool', async (t) => {
  const { chain, act, pass } = await start(t)
  await drive(chain, control('setFees', 0, 1))
  await act(A, 'requestRedeem', [parseEther('10') + 3n, B, A])
  await pass(DAY)
  const before = await chain.balance(C)
  await act(B, 'redeemMON', [1, B, C])
  const assets = ((parseEther('10') + 3n) * (parseEther('990') + 1n)) / (parseEther('900') + 1n)
  t.equal((await chain.balance(C)) - before, assets - (assets + 9_999n) / 10_000n)
})

t.test('a claim waits for the epochs of the staking precompile too, which refuses in bare text', async (t) => {
  const { chain, act, pass } = await start(t)
  await drive(chain, control('setRedeemDelay', 1))
  await act(A, 'requestRedeem', [parseEther('10'), A, A])
  await pass(100)
  const notReady = { code: 'RPC_ERROR', data: hexlify(toUtf8Bytes('withdrawal not ready')) }
  await t.rejects(act(A, 'redeemMON', [1, A, A]), notReady)
  // 1.1 to 2.1 epochs of 15,000 seconds after the request.
  await pass(1.1 * 15_000 - 1_600)
  await t.rejects(act(A, 'redeemMON', [1, A, A]), notReady)
  await pass(15_000 + 1_600)
  await t.resolves(act(A, 'redeemMON', [1, A, A]))
})

t.test('the vault of single validators takes deposits and requests in the same books', async (t) => {
  const { chain, read, act, request } = await start(t)
  await drive(chain, coreControl('setMinUserWithdrawAmount', parseEther('500')))
  await act(B, 'depositMONGVault', [B, 12, 0], parseEther('110'))
  t.equal(await read('balanceOf', B), parseEther('100'))
  await act(B, 'requestRedeemGVault', [parseEther('100'), B, B, 12])
  t.match(await request(1, B), { isGVault: true, shares: parseEther('100') })
})

t.test('views say what the vault is, and the delay lies where the real one keeps it', async (t) => {
  const { chain, read } = await start(t)
  t.equal(await read('supportsInterface', '0x620ee8e4'), true)
  t.equal(await read('supportsInterface', '0xffffffff'), false)
  t.same([await read('coreVault'), await read('gVault')], [checksum(coreVaultAddress), checksum(gVaultAddress)])
  t.equal(await read('asset'), '0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A')
  const slot = '0xe12a3c9ed0954edf986cec381af8403b24a0b0b94ceba99e0d4e9dd1e2aec504'
  t.equal(await chain.rpc('eth_getStorageAt', [vaultAddress, slot, 'latest']), toBeHex(DAY, 32))
  const ids = core.decodeFunctionResult(
    'getValidators',
    await chain.call({ to: coreVaultAddress, data: core.encodeFunctionData('getValidators') }),
  )
  t.same([...ids[0]], [11n, 12n])
})

t.test('where there is no staking precompile no epoch withholds anything', async (t) => {
  const { chain, act, pass } = await start(t)
  await chain.setCode(stakingAddress, '0x')
  await act(A, 'requestRedeem', [parseEther('10'), A, A])
  await pass(DAY)
  await t.resolves(act(A, 'redeemMON', [1, A, A]))
})

t.test('the multicall contract reads the vault with everything else', async (t) => {
  const { chain } = await start(t)
  const multicall = new Interface(multicallAbi)
  const asked = ['totalSupply', 'totalAssets'].map((name) => ({
    target: vaultAddress,
    allowFailure: true,
    callData: vault.encodeFunctionData(name),
  }))
  const data = await chain.call({ to: multicallAddress, data: multicall.encodeFunctionData('aggregate3', [asked]) })
  const [results] = multicall.decodeFunctionResult('aggregate3', data)
  t.same(
    [...results].map(([ok]) => ok),
    [true, true],
  )
})

function checksum(address: string): string {
  return vault.decodeFunctionResult('coreVault', `0x${address.slice(2).padStart(64, '0')}`)[0]
}
