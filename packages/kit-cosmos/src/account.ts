import { malformedAnswer, requireSent } from '@svc/contract'
import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
  QueryAccountRequest,
  QueryAccountResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import {
  QueryBalanceRequest,
  QueryBalanceResponse,
  QuerySpendableBalanceByDenomRequest,
  QuerySpendableBalanceByDenomResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { amountOf, beyond, orNone } from './answer.ts'
import type { CosmosClient } from './client.ts'
import { badRequest } from './codes.ts'

/** State that the chain keeps of an account, beside its coins. */
export interface AccountState {
  readonly number: bigint
  /** Sequence of the account's next transaction, by the last block. */
  readonly sequence: bigint
}

/**
 * Accounts are numbered one by one, and a sequence counts transactions: no chain has made so many of either. From here to 2^32 the library
 * writes other bytes than the number's.
 *
 * @see https://github.com/confio/cosmjs-types (BinaryWriter.uint64 of version 0.11.0, tried 2026-11-22)
 */
const MOST = 2n ** 31n - 1n

/** Reads an account of any kind: base, vesting, module, contract. @throws 400 ACCOUNT_UNKNOWN; 502, 503, 504 */
export async function readAccount(client: CosmosClient, address: string): Promise<AccountState> {
  const account = await client.query({
    path: '/cosmos.auth.v1beta1.Query/AccountInfo',
    request: QueryAccountInfoRequest.encode({ address }).finish(),
    read: (answer) => readInfo(answer, address),
    refused: orNone(() => {
      throw badRequest(
        'ACCOUNT_UNKNOWN',
        `The account ${address} does not exist on the chain yet: it comes into being when it is first sent coins. Fund it, or check the public key.`,
      )
    }),
    lacks: (answer) => !('value' in answer),
  })
  client.accountNumbers.set(address, account.number)
  return account
}

function readInfo(answer: Uint8Array, address: string): AccountState {
  const { address: answerAddress, accountNumber: number, sequence } = requireSent(QueryAccountInfoResponse.decode(answer).info)
  if (answerAddress !== address) throw malformedAnswer(answerAddress)
  if (number > MOST || sequence > MOST)
    throw beyond(`The chain's node tells account number ${number} and sequence ${sequence} of ${address}, which cannot be; try again.`)
  return { number, sequence }
}

/** Query for an account of whatever kind, as the chain keeps it. */
export const WHOLE_ACCOUNT = '/cosmos.auth.v1beta1.Query/Account'

/**
 * Reads the number of bytes in which the chain keeps an account: up to 200 for a plain one, and more for one whose coins become free in many periods; 0 where there is no
 * account.
 *
 * @throws 502, 503, 504
 */
export async function readAccountBytes(client: CosmosClient, address: string): Promise<number> {
  return client.query({
    path: WHOLE_ACCOUNT,
    request: QueryAccountRequest.encode({ address }).finish(),
    read: (answer) => requireSent(QueryAccountResponse.decode(answer).account).value.length,
    refused: orNone(() => 0),
  })
}

/** Sequence of an account, and the height at which it was read. */
export interface AccountSequence {
  /** Sequence of the account's next transaction; 0 for an account that does not exist. */
  readonly sequence: bigint
  /** Height of the state that says so. */
  readonly height: bigint
}

/** Reads an account's sequence, and the height of the state that it was read from. @throws 502, 503, 504 */
export async function readSequence(client: CosmosClient, address: string): Promise<AccountSequence> {
  const { number, ...state } = await client.query<AccountSequence & { readonly number: bigint | null }>({
    path: '/cosmos.auth.v1beta1.Query/AccountInfo',
    request: QueryAccountInfoRequest.encode({ address }).finish(),
    read: (answer, height) => ({ ...readInfo(answer, address), height }),
    // Of a state in which it is not there, nothing is noted.
    refused: orNone(() => ({ number: null, sequence: 0n, height: 0n })),
  })
  // Not before: until then it is the word of an endpoint that may be given up.
  if (number !== null) client.accountNumbers.set(address, number)
  return state
}

/** Reads all coins of a denom that an account has, in base units. */
export async function readBalance(client: CosmosClient, address: string, denom: string): Promise<bigint> {
  return client.query({
    path: '/cosmos.bank.v1beta1.Query/Balance',
    request: QueryBalanceRequest.encode({ address, denom }).finish(),
    read: (answer) => amountOf(QueryBalanceResponse.decode(answer).balance, denom),
  })
}

/** Reads the coins of a denom that an account can spend, without those locked by vesting, for example, in base units. */
export async function readSpendable(client: CosmosClient, address: string, denom: string): Promise<bigint> {
  return client.query({
    path: '/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom',
    request: QuerySpendableBalanceByDenomRequest.encode({ address, denom }).finish(),
    read: (answer) => amountOf(QuerySpendableBalanceByDenomResponse.decode(answer).balance, denom),
  })
}
