import type { Store } from './store.ts'

/** A transaction of an account, as the records of its crafts name it. */
export interface CraftedTransaction {
  readonly account: string
  /** Short name of the plugin. */
  readonly protocol: string
  /** Chain id. */
  readonly network: string
  readonly unsignedHash: string
}

/** Most records that are read of one transaction: a caller who crafts the same again and again has as many. Beyond it nobody is ruled out. */
const MOST_STEPS = 200

/**
 * Makes the function that finds for whom an account had a transaction crafted: two wallets with the same nonce may have identical bytes. A craft leaves only once its
 * record is saved, so that its own prepare finds the record on every replica.
 *
 * @returns a function whose answer is empty where no record says it any more, or there are too many
 */
export function createCraftedFor(store: Pick<Store, 'readSteps'>) {
  return async ({ account, protocol, network, unsignedHash }: CraftedTransaction): Promise<readonly string[]> => {
    const [records = []] = await store.readSteps([{ account, unsignedHash }], MOST_STEPS)
    if (records.length >= MOST_STEPS) return []
    const crafts = records.filter((record) => record.effects !== null && record.protocol === protocol && record.network === network)
    return [...new Set(crafts.flatMap(({ wallet }) => wallet ?? []))]
  }
}
