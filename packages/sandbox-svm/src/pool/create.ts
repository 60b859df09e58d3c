import { SandboxError } from '@svc/sandbox'
import { checked } from '../address.ts'
import type { Bank } from '../bank.ts'
import { addressOf, tokenAddress } from '../keys.ts'
import { stakePoolPrograms, stakeProgram, tokenProgram } from '../programs.ts'
import { never, stakeData, stakeReserve } from '../stake-account.ts'
import { newHolding, newMint, tokenSpace, withAmount, withSupply } from '../tokens.ts'
import type { SvmFee, SvmStakePool, SvmStakePoolOptions } from '../types.ts'
import type { Validators } from '../validators.ts'
import type { StakePools } from './stake-pools.ts'
import {
  depositAuthority,
  type Entry,
  noFee,
  noFutureFee,
  poolSpace,
  validatorStake,
  withdrawAuthority,
  writeList,
  writePool,
} from './state.ts'

/** Validators that a list has room for. */
const maxValidators = 100
const usualDeposit = 1_000_000_000_000n
const usualStake = 100_000_000_000n
const mintSpace = 82

/** Functions of its chain that a pool needs. */
interface Surroundings {
  readonly chainId: string
  readonly bank: Bank
  readonly validators: Validators
  readonly pools: StakePools
}

/** Makes a stake pool in the state of one that is in use: every account written, every stake active. @throws SandboxError `INVALID_INPUT` */
export function createStakePool(world: Surroundings, options: SvmStakePoolOptions): SvmStakePool {
  const { name, validators = [], stake = usualStake, deposit = usualDeposit, fees = {} } = options
  const { bank } = world
  const program = checked(options.program ?? stakePoolPrograms[world.chainId] ?? stakePoolPrograms.devnet)
  const pool = checked(options.pool ?? addressOf(`pool ${name}`))
  if (bank.account(pool) !== undefined)
    throw new SandboxError('INVALID_INPUT', `there is an account ${pool} already: pool ${name} needs another`)
  const unknown = validators.find((vote) => world.validators.find(vote) === undefined)
  if (unknown !== undefined) throw new SandboxError('INVALID_INPUT', `${unknown} is no validator of this chain: make it by createValidator`)
  for (const [fee, value] of Object.entries(fees)) checkFee(fee, value)
  const authority = withdrawAuthority(program, pool)
  const manager = addressOf(`pool ${name} manager`)
  const mint = checked(options.mint ?? addressOf(`pool ${name} mint`))
  const addresses: SvmStakePool = {
    program,
    pool,
    mint,
    reserve: addressOf(`pool ${name} reserve`),
    validatorList: addressOf(`pool ${name} validators`),
    managerFeeAccount: tokenAddress(manager, mint),
    withdrawAuthority: authority.address,
    manager,
  }
  const entries = validators.map((vote): Entry => {
    const active = stake + stakeReserve
    return { active, transient: 0n, lastUpdate: bank.epoch, transientSeed: 0n, unused: 0, validatorSeed: 0, status: 0, vote }
  })
  const total = deposit + entries.reduce((sum, { active }) => sum + active, 0n)
  const supply = options.supply ?? total
  const owned = (owner: string, data: Uint8Array, lamports = bank.rent(data.length)) => ({ lamports, owner, data, executable: false })

  bank.setAccount(addresses.reserve, owned(stakeProgram, stakeData(authority.address), deposit + stakeReserve))
  for (const entry of entries) {
    const delegation = { voter: entry.vote, stake, activationEpoch: bank.epoch - 100n, deactivationEpoch: never }
    const data = stakeData(authority.address, delegation)
    bank.setAccount(validatorStake(program, pool, entry), owned(stakeProgram, data, entry.active))
  }
  bank.setAccount(mint, withSupply(newMint(authority.address, bank.rent(mintSpace)), supply))
  bank.setAccount(addresses.managerFeeAccount, newHolding(mint, manager, bank.rent(tokenSpace)))
  const holder = addressOf(`pool ${name} holder`)
  bank.setAccount(tokenAddress(holder, mint), withAmount(newHolding(mint, holder, bank.rent(tokenSpace)), supply))
  bank.setAccount(addresses.validatorList, owned(program, writeList({ max: maxValidators, entries })))
  const data = writePool({
    manager,
    staker: addressOf(`pool ${name} staker`),
    stakeDepositAuthority: depositAuthority(program, pool),
    bump: authority.bump,
    validatorList: addresses.validatorList,
    reserve: addresses.reserve,
    mint,
    managerFee: addresses.managerFeeAccount,
    tokenProgram,
    total,
    supply,
    lastUpdate: bank.epoch,
    lockup: new Uint8Array(48),
    epochFee: fees.epoch ?? noFee,
    nextEpochFee: noFutureFee,
    preferredDeposit: undefined,
    preferredWithdraw: options.preferredWithdraw,
    stakeDepositFee: fees.stakeDeposit ?? noFee,
    stakeWithdrawalFee: fees.stakeWithdrawal ?? noFee,
    nextStakeWithdrawalFee: noFutureFee,
    stakeReferral: fees.stakeReferral ?? 0,
    solDepositAuthority: options.solDepositAuthority,
    solDepositFee: fees.solDeposit ?? noFee,
    solReferral: fees.solReferral ?? 0,
    solWithdrawAuthority: options.solWithdrawAuthority,
    solWithdrawalFee: fees.solWithdrawal ?? noFee,
    nextSolWithdrawalFee: noFutureFee,
    lastSupply: supply,
    lastTotal: total,
  })
  bank.setAccount(pool, owned(program, data, bank.rent(poolSpace)))
  world.pools.install(program)
  world.pools.add(name, addresses)
  return addresses
}

function checkFee(name: string, fee: SvmFee | number | undefined): void {
  const fits =
    typeof fee === 'number'
      ? Number.isInteger(fee) && fee >= 0 && fee <= 100
      : fee === undefined || (fee.numerator >= 0n && fee.numerator <= fee.denominator)
  if (!fits) throw new SandboxError('INVALID_INPUT', `fee ${name} is more than the whole, or less than nothing`)
}
