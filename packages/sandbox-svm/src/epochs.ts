import type { Bank } from './bank.ts'
import { slotMs, slotsPerEpoch } from './bank.ts'
import { litesvm } from './litesvm.ts'
import { stakeProgram } from './programs.ts'
import { type Delegation, delegationOf, withStake } from './stake-account.ts'
import { type Activation, activationAt } from './stake-activation.ts'
import type { SvmAccount, SvmCluster } from './types.ts'
import type { Validators } from './validators.ts'

const sol = 1_000_000_000n
/** Tokens there are, and what of them a year brings to stakers: made up, of the size of mainnet's. */
export const supply = 610_000_000n * sol
export const inflation = { numerator: 38n, denominator: 1000n }
const yearMs = 31_557_600_000n

/** Stake of the rest of the cluster unless it is told otherwise: so much that 9 % of it never binds. */
const wholeCluster: SvmCluster = { effective: 400_000_000n * sol, activating: 1_000_000n * sol, deactivating: 1_000_000n * sol }
/** Entries of the history at the start, and the most that the chain keeps. @see solana-stake-interface, MAX_ENTRIES (read 2026-11-21) */
const firstEntries = 8n
const maxEntries = 512
/** For how many epochs rewards can be asked for. */
const keptRewards = 32n

/** A reward that was paid. */
interface Reward {
  readonly amount: bigint
  readonly postBalance: bigint
  readonly slot: bigint
  readonly commissionBps: number
}

/** A stake account that is delegated. */
interface Stake {
  readonly address: string
  readonly account: SvmAccount
  readonly delegation: Delegation
}

/** Changes between epochs: stake warms up and cools down, the history gets its entry, rewards are paid. */
export class Epochs {
  cluster = wholeCluster
  /** True if epochs pay rewards. */
  rewards = true
  /** Block height at which the distribution of rewards ends; undefined while none goes on. */
  #distributionEnd: bigint | undefined
  readonly #bank: Bank
  readonly #validators: Validators
  readonly #history = new Map<bigint, SvmCluster>()
  readonly #paid = new Map<bigint, ReadonlyMap<string, Reward>>()

  constructor(bank: Bank, validators: Validators) {
    this.#bank = bank
    this.#validators = validators
    for (let back = firstEntries; back >= 1n; back--) this.#history.set(bank.epoch - back, this.cluster)
    this.#writeHistory()
  }

  /** Ends an epoch; the bank stands at the first slot of the next one. */
  end(ended: bigint): void {
    const stakes = this.stakes().map((stake) => ({ ...stake, activation: this.activation(stake.delegation, ended) }))
    const total = stakes.reduce<SvmCluster>((sum, { activation }) => add(sum, activation), this.cluster)
    this.#history.set(ended, total)
    this.#writeHistory()
    this.#validators.endEpoch(ended, slotsPerEpoch)
    if (this.rewards) this.#pay(ended, stakes, total.effective)
  }

  activation(delegation: Delegation, epoch: bigint): Activation {
    return activationAt(delegation, epoch, this.#history)
  }

  stakes(): Stake[] {
    return this.#bank.accountsOf(stakeProgram).flatMap(({ address, account }) => {
      const delegation = delegationOf(account.data)
      return delegation === undefined ? [] : [{ address, account, delegation }]
    })
  }

  /** Effective stake by vote account, now. */
  effectiveByVote(): Map<string, bigint> {
    const sums = new Map<string, bigint>()
    for (const { delegation } of this.stakes()) {
      const { effective } = this.activation(delegation, this.#bank.epoch)
      sums.set(delegation.voter, (sums.get(delegation.voter) ?? 0n) + effective)
    }
    return sums
  }

  rewardOf(epoch: bigint, address: string): Reward | undefined {
    return this.#paid.get(epoch)?.get(address)
  }

  /** Rewards are being distributed for so many blocks: the stake program refuses nearly everything. 0 ends it. */
  distribute(blocks: bigint): void {
    this.#distributionEnd = blocks > 0n ? this.#bank.height + blocks : undefined
    this.#writeDistribution()
  }

  /** At the end of a block. */
  endBlock(): void {
    if (this.#distributionEnd === undefined || this.#bank.height < this.#distributionEnd) return
    this.#distributionEnd = undefined
    this.#writeDistribution()
  }

  get distributing(): boolean {
    return this.#distributionEnd !== undefined
  }

  #pay(epoch: bigint, stakes: readonly (Stake & { activation: Activation })[], total: bigint): void {
    const issued = (supply * inflation.numerator * slotsPerEpoch * slotMs) / (inflation.denominator * yearMs)
    const paid = new Map<string, Reward>()
    const slot = this.#bank.slot
    for (const { address, account, delegation, activation } of stakes) {
      const validator = this.#validators.find(delegation.voter)
      if (validator === undefined || validator.delinquent || activation.effective === 0n || total === 0n) continue
      const whole = (((activation.effective * issued) / total) * BigInt(validator.performance)) / 100n
      const commissionBps = this.#validators.commission(delegation.voter)
      const commission = (whole * BigInt(commissionBps)) / 10_000n
      const amount = whole - commission
      const lamports = account.lamports + amount
      this.#bank.setAccount(address, { ...account, lamports, data: withStake(account.data, delegation.stake + amount) })
      if (amount > 0n) paid.set(address, { amount, postBalance: lamports, slot, commissionBps })
      const vote = this.#bank.account(delegation.voter)
      if (vote === undefined || commission === 0n) continue
      this.#bank.setAccount(delegation.voter, { ...vote, lamports: vote.lamports + commission })
      const before = paid.get(delegation.voter)?.amount ?? 0n
      paid.set(delegation.voter, { amount: before + commission, postBalance: vote.lamports + commission, slot, commissionBps })
    }
    this.#paid.set(epoch, paid)
    this.#paid.delete(epoch - keptRewards)
  }

  #writeHistory(): void {
    const [oldest] = this.#history.keys()
    if (oldest !== undefined && this.#history.size > maxEntries) this.#history.delete(oldest)
    const history = new litesvm.StakeHistory()
    for (const [epoch, { effective, activating, deactivating }] of this.#history) {
      history.add(epoch, new litesvm.StakeHistoryEntry(effective, activating, deactivating))
    }
    this.#bank.svm.setStakeHistory(history)
  }

  #writeDistribution(): void {
    const rewards = this.#bank.svm.getEpochRewards()
    rewards.active = this.distributing
    this.#bank.svm.setEpochRewards(rewards)
  }
}

function add(sum: SvmCluster, { effective, activating, deactivating }: Activation): SvmCluster {
  return {
    effective: sum.effective + effective,
    activating: sum.activating + activating,
    deactivating: sum.deactivating + deactivating,
  }
}
