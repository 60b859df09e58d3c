import type { Scene } from '../../life/family.ts'
import type { Wallet } from '../../wallet.ts'

/** Makes the scene of a transaction whose last epoch has ended: a crafted one can land in the present epoch and the next. */
export function expiryScene<W extends Wallet>(): Scene<W> {
  return {
    name: 'its last epoch ended',
    given: 'tracked',
    play: async (stage) => void (await stage.operate('advance', { epochs: 2 })),
    told: ['expired'],
  }
}
