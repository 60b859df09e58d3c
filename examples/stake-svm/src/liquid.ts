import type { Position } from './answers.ts'
import { craft, send } from './journey.ts'
import { deposit, exit, readPool, tokensOf } from './pool.ts'
import { Refused, type SandboxFile } from './sandbox-file.ts'
import { begin } from './setup.ts'
import { lamportsOf, sol } from './sol.ts'
import { heading, say, sayTerms } from './tell.ts'

/** The pool, its tokens and the validator that is staked with, as agreed with the operator. */
const AGREED = {
  program: 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
  pool: 'CtMyWsrUtAwXWiGr9WjHT5fC3p3fgV8cyGpLTo2LJzG1',
  mint: '7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn',
}
const MEMO = 'direct:3yZ8XxWQ7jYRJfNf1rTL9FLWAqsasjbcWphUi8q7QDg5'
const AMOUNT = 2.000000001
const LAMPORTS = 2_000_000_001n

/** Pay into a stake pool, earn, and leave through its reserve. @throws Refused with a sentence, before anything else is signed */
export async function liquid(sandbox: SandboxFile): Promise<void> {
  const journey = begin(sandbox, 'STAKE POOL', '/api/v1/svm-one/liquid-b')
  const { service, chain, custody } = journey
  const wallet = custody.keypair.publicKey.toBase58()
  const signers = [wallet]

  // ---------- STEP 1: NETWORKS AND TERMS ----------
  heading('STEP 1  Which pool, on which terms?')
  await sayTerms(service)
  const pool = await readPool(chain, AGREED)
  say(`pool       ${pool.address}, reserve ${pool.reserve}`)

  // ---------- STEP 2: STAKE ----------
  // Tokens of the pool are worth more with every epoch. They are the position: there are no objects, and nothing has to warm up.
  heading(`STEP 2  Stake ${AMOUNT}`)
  const before = await tokensOf(chain, pool, wallet)
  await send(journey, await craft(journey, 'stake', { amount: AMOUNT }), { signers, calls: deposit(pool, wallet, LAMPORTS, MEMO) })
  const tokens = (await tokensOf(chain, pool, wallet)) - before
  say(`received   ${sol(tokens)} pool tokens`)
  const staked = await position()

  // ---------- STEP 3: EARN ----------
  heading('STEP 3  Earn for an epoch')
  await chain.nextEpoch()
  say('waiting    … an epoch, about 42 hours')
  const grown = await position()
  say(`earned     ${sol(lamportsOf(grown.staked_amount) - lamportsOf(staked.staked_amount))}`)

  // ---------- STEP 4: UNSTAKE ----------
  // In pool tokens. The pool pays at once from its reserve; when that is too small, the service crafts a stake account to be withdrawn later.
  heading(`STEP 4  Unstake ${sol(tokens)} pool tokens`)
  const held = await chain.balance(wallet)
  const fee = await send(journey, await craft(journey, 'unstake', { amount: sol(tokens) }), {
    signers,
    calls: [exit(pool, wallet, tokens)],
  })
  const paid = (await chain.balance(wallet)) - held + fee
  if ((await tokensOf(chain, pool, wallet)) !== before) throw new Refused('Other pool tokens are left than there were before.')
  await position()
  say(`received   ${sol(paid)}`)

  heading('STAKE POOL: DONE')
  say(`${sol(LAMPORTS)} went in and ${sol(paid)} came out, after the pool's fees; every transaction was checked.`)

  async function position(): Promise<Position> {
    const now = await service.get<Position>(`/staking-balance/${wallet}`)
    say(`position   active ${now.staked_amount}`)
    return now
  }
}
