import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareSvmPool, svmPoolQuestions } from '@svc/testing/svm-pool-questions'
import { prepareSvm, svmQuestions } from '@svc/testing/svm-questions'
import type { Stage } from '../node.ts'
import { createPool } from './pool.ts'
import { PROGRAM } from './program.ts'
import { startValidator, type Validator } from './validator.ts'

/** Slots until what was sent is final, and a few more. */
const FINAL_SLOTS = 40
/** Slots of an epoch, 40 seconds: what is asked of a pool has to be asked within one. */
const SLOTS_PER_EPOCH = 400

/** Asks validators of its own everything that is kept of one. */
export async function recordValidator(stage: Stage): Promise<void> {
  await recordChain(stage)
  await recordPool(stage)
}

async function recordChain(stage: Stage): Promise<void> {
  const validator = await started(stage, 'recorded')
  await validator.epoch()
  const facts = await prepareSvm({
    url: validator.url,
    payer: validator.mint,
    vote: validator.vote,
    settle: () => validator.slots(FINAL_SLOTS),
  })
  for (const { name, situation, http, body } of svmQuestions)
    await stage.recorder.ask(validator.url, name, situation, { http, ...(body ? { body: body(facts) } : {}) })
  await validator.stop()
}

/** Asks a validator whose pool has its stake at work. */
async function recordPool(stage: Stage): Promise<void> {
  const validator = await started(stage, 'recorded-pool', SLOTS_PER_EPOCH)
  const pool = await createPool(validator)
  await validator.epoch()
  await pool.update()
  const facts = await prepareSvmPool({
    url: validator.url,
    payer: validator.mint,
    vote: validator.vote,
    settle: () => validator.slots(FINAL_SLOTS),
    pool: pool.addresses,
    tokens: pool.tokensOf(validator.mint.address),
  })
  for (const { name, situation, http, body } of svmPoolQuestions)
    await stage.recorder.ask(validator.url, name, situation, { http, body: body(facts) })
  await validator.stop()
}

async function started(stage: Stage, name: string, slotsPerEpoch?: number): Promise<Validator> {
  const folder = join(stage.folder, name)
  await mkdir(folder, { recursive: true })
  return startValidator(stage.programs, join(stage.built, PROGRAM), folder, slotsPerEpoch)
}
