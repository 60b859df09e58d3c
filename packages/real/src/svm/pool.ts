import { fromBase58, type Instruction, SVM, type SvmKey, svmKey } from '@svc/testing/svm-message'
import { ASSOCIATED, createAccount, depositSol, type SvmPool } from '@svc/testing/svm-pool-message'
import { programAddress } from '@svc/verify/svm'
import type { Validator } from './validator.ts'

/** A stake pool with one validator, and who keeps it. */
export interface Pool {
  /** What the settings of the service's network name. */
  readonly settings: { readonly pool: string; readonly mint: string; readonly program: string }
  readonly addresses: SvmPool
  /** What the pool's account says now. */
  books(): Promise<PoolBooks>
  /** Makes the books up in a new epoch, as a keeper does. */
  update(): Promise<void>
  /** Takes lamports out of the reserve into another stake. @param lamports without the rent of the account */
  stake(lamports: bigint): Promise<void>
  /** Address of a wallet's account of pool tokens. */
  tokensOf(wallet: string): string
  /** Pool tokens of a wallet; 0 where there is no account of them. */
  tokens(wallet: string): Promise<bigint>
  /** Lamports of the reserve, its rent included. */
  reserve(): Promise<bigint>
}

/** Books of a pool, in base units. */
interface PoolBooks {
  readonly lamports: bigint
  readonly supply: bigint
  readonly updatedEpoch: bigint
}

/** Fees of the pool, in parts. */
export const FEES = { epoch: [5n, 100n], withdrawal: [3n, 1_000n], deposit: [1n, 1_000n], referralPercent: 40 } as const

/** @see https://github.com/solana-program/stake-pool (program-id.md, read 2026-11-25) */
const PROGRAM = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'
/** Numbers of the program's instructions. @see spl-stake-pool 2.2.0, src/instruction.rs, enum StakePoolInstruction (read 2026-11-25) */
const POOL = { initialize: 0, addValidator: 1, increase: 4, updateList: 6, updatePool: 7 } as const
/** Numbers of instructions of the token program. @see https://docs.rs/spl-token-interface (InitializeMint2, InitializeAccount3; read 2026-11-25) */
const TOKEN = { initializeMint: 20, initializeAccount: 18 } as const
/** Bytes of accounts. Of the list: a header of 5, a length of 4, and 73 for each validator. @see spl-stake-pool 2.2.0, src/state.rs (read 2026-11-25) */
const BYTES = { mint: 82, tokens: 165, stake: 200, pool: 611, list: 9 + 73 } as const
/** Where the pool's account says what. @see spl-stake-pool 2.2.0, src/state.rs, struct StakePool (read 2026-11-25) */
const AT = { lamports: 258, supply: 266, epoch: 274 } as const
/** Where a token account has its amount. @see https://docs.rs/spl-token-interface (Account, read 2026-11-25) */
const AMOUNT_AT = 64
const SOL = 1_000_000_000n
/** Lamports that the pool begins with, and those of them that are staked. */
const FIRST = 2_000n * SOL
const STAKED = 1_500n * SOL

/** Makes a stake pool with the program's own instructions: mint, accounts, a first deposit, its validator, and most of it staked. */
export async function createPool(validator: Validator): Promise<Pool> {
  const { mint: payer, vote } = validator
  const [mint, fees, reserve, list, pool] = ['mint', 'fees', 'reserve', 'list', 'pool'].map((name) => svmKey(`real pool ${name}`)) as [
    SvmKey,
    SvmKey,
    SvmKey,
    SvmKey,
    SvmKey,
  ]
  const bytes = fromBase58
  const authority = programAddress(PROGRAM, [bytes(pool.address), Buffer.from('withdraw')])
  const validatorStake = programAddress(PROGRAM, [bytes(vote), bytes(pool.address)])
  const transientOf = (seed: bigint) => programAddress(PROGRAM, [Buffer.from('transient'), bytes(vote), bytes(pool.address), u64(seed)])
  let seed = 0n
  const addresses: SvmPool = {
    program: PROGRAM,
    pool: pool.address,
    authority,
    reserve: reserve.address,
    list: list.address,
    mint: mint.address,
    fees: fees.address,
    stake: validatorStake,
  }
  const tokensOf = (wallet: string) => programAddress(ASSOCIATED, [bytes(wallet), bytes(SVM.token), bytes(mint.address)])

  const account = async (of: SvmKey, size: number, owner: string): Promise<Instruction> => {
    const lamports = BigInt(String(await validator.rpc('getMinimumBalanceForRentExemption', [size])))
    return createAccount(payer.address, of.address, size, owner, lamports)
  }
  const call = (number: number, accounts: Instruction['accounts'], ...data: readonly Uint8Array[]): Instruction => ({
    program: PROGRAM,
    accounts,
    data: Buffer.concat([Buffer.of(number), ...data]),
  })

  await validator.carry(
    [
      await account(mint, BYTES.mint, SVM.token),
      {
        program: SVM.token,
        accounts: [written(mint.address)],
        data: Buffer.concat([Buffer.of(TOKEN.initializeMint, 9), bytes(authority), Buffer.of(0)]),
      },
      await account(fees, BYTES.tokens, SVM.token),
      {
        program: SVM.token,
        accounts: [written(fees.address), read(mint.address)],
        data: Buffer.concat([Buffer.of(TOKEN.initializeAccount), bytes(payer.address)]),
      },
    ],
    [payer, mint, fees],
  )
  await validator.carry(
    [
      await account(reserve, BYTES.stake, SVM.stake),
      {
        program: SVM.stake,
        accounts: [written(reserve.address), read(SVM.rent)],
        data: Buffer.concat([u32(0), bytes(authority), bytes(authority), Buffer.alloc(48)]),
      },
    ],
    [payer, reserve],
  )
  await validator.carry(
    [
      await account(pool, BYTES.pool, PROGRAM),
      await account(list, BYTES.list, PROGRAM),
      call(
        POOL.initialize,
        [
          written(pool.address),
          signing(payer.address),
          read(payer.address),
          read(authority),
          written(list.address),
          read(reserve.address),
          written(mint.address),
          written(fees.address),
          read(SVM.token),
        ],
        part(FEES.epoch),
        part(FEES.withdrawal),
        part(FEES.deposit),
        Buffer.of(FEES.referralPercent),
        u32(1),
      ),
    ],
    [payer, pool, list],
  )
  await validator.carry([depositSol(addresses, payer.address, fees.address, FIRST)], [payer])
  await validator.carry(
    [
      call(
        POOL.addValidator,
        [
          written(pool.address),
          signing(payer.address),
          written(reserve.address),
          read(authority),
          written(list.address),
          written(validatorStake),
          ...[vote, SVM.rent, SVM.clock, SVM.stakeHistory, SVM.stakeConfig, SVM.system, SVM.stake].map(read),
        ],
        u32(0),
      ),
    ],
    [payer],
  )

  const product: Pool = {
    settings: { pool: pool.address, mint: mint.address, program: PROGRAM },
    addresses,
    tokensOf,
    async books() {
      const data = await dataOf(validator, pool.address)
      return {
        lamports: data.readBigUInt64LE(AT.lamports),
        supply: data.readBigUInt64LE(AT.supply),
        updatedEpoch: data.readBigUInt64LE(AT.epoch),
      }
    },
    async update() {
      const head = [read(pool.address), read(authority), written(list.address), written(reserve.address)]
      const stakes = [written(validatorStake), written(transientOf(seed))]
      await validator.carry(
        [
          call(POOL.updateList, [...head, ...[SVM.clock, SVM.stakeHistory, SVM.stake].map(read), ...stakes], u32(0), Buffer.of(0)),
          call(POOL.updatePool, [
            written(pool.address),
            read(authority),
            written(list.address),
            read(reserve.address),
            written(fees.address),
            written(mint.address),
            read(SVM.token),
          ]),
        ],
        [payer],
      )
    },
    async stake(lamports) {
      const next = seed + 1n
      await validator.carry(
        [
          call(
            POOL.increase,
            [
              read(pool.address),
              signing(payer.address),
              read(authority),
              written(list.address),
              written(reserve.address),
              written(transientOf(next)),
              read(validatorStake),
              ...[vote, SVM.clock, SVM.rent, SVM.stakeHistory, SVM.stakeConfig, SVM.system, SVM.stake].map(read),
            ],
            u64(lamports),
            u64(next),
          ),
        ],
        [payer],
      )
      seed = next
    },
    async tokens(wallet) {
      const { value } = (await validator.rpc('getAccountInfo', [
        tokensOf(wallet),
        { encoding: 'base64', commitment: 'confirmed' },
      ])) as AccountInfo
      return value === null ? 0n : Buffer.from(value.data[0], 'base64').readBigUInt64LE(AMOUNT_AT)
    },
    async reserve() {
      const { value } = (await validator.rpc('getBalance', [reserve.address, { commitment: 'confirmed' }])) as { readonly value: number }
      return BigInt(value)
    },
  }
  await product.stake(STAKED)
  return product
}

async function dataOf(validator: Validator, address: string): Promise<Buffer> {
  const { value } = (await validator.rpc('getAccountInfo', [address, { encoding: 'base64', commitment: 'confirmed' }])) as AccountInfo
  if (value === null) throw new Error(`There is no account ${address}.`)
  return Buffer.from(value.data[0], 'base64')
}

interface AccountInfo {
  readonly value: null | { readonly data: readonly [string, string] }
}

const written = (address: string) => ({ address, writable: true })
const read = (address: string) => ({ address })
const signing = (address: string) => ({ address, signer: true, writable: true })

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** A fee as the program reads it: the denominator first. */
function part([numerator, denominator]: readonly [bigint, bigint]): Buffer {
  return Buffer.concat([u64(denominator), u64(numerator)])
}
