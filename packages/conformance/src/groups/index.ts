import { agreement } from './agreement.ts'
import { amounts } from './amounts.ts'
import { balance } from './balance.ts'
import { bodies } from './bodies.ts'
import { budget } from './budget.ts'
import { condition } from './condition.ts'
import { control } from './control.ts'
import { declaration } from './declaration.ts'
import { endpoints } from './endpoints.ts'
import { examples } from './examples.ts'
import { former } from './former.ts'
import type { Group } from './group.ts'
import { guards } from './guards.ts'
import { hidden } from './hidden.ts'
import { info } from './info.ts'
import { intent } from './intent.ts'
import { journeys } from './journeys.ts'
import { ledger } from './ledger.ts'
import { lies } from './lies.ts'
import { life } from './life.ts'
import { moves } from './moves.ts'
import type { GroupName } from './name.ts'
import { networks } from './networks.ts'
import { policy } from './policy.ts'
import { requirements } from './requirements.ts'
import { resilience } from './resilience.ts'
import { signed } from './signed.ts'
import { state } from './state.ts'
import { tamper } from './tamper.ts'
import { terms } from './terms.ts'

/** Every group, in the order in which they run. */
export const groups: Readonly<Record<GroupName, Group>> = {
  declaration,
  examples,
  networks,
  info,
  balance,
  bodies,
  amounts,
  journeys,
  state,
  guards,
  life,
  tamper,
  intent,
  // Before what is sent: an example is used up then.
  signed,
  // After what is crafted up to a fee: its lives leave coins of strangers in the rewards, of which each makes a payout dearer.
  ledger,
  policy,
  resilience,
  lies,
  agreement,
  budget,
  condition,
  requirements,
  hidden,
  former,
  endpoints,
  control,
  terms,
  // At the end: lives leave prices, rates and validators behind as they came to be.
  moves,
}

/** Groups that craft nothing. Every other one would only say once more that an example cannot be crafted. */
export const CRAFTLESS: ReadonlySet<GroupName> = new Set(['declaration', 'info', 'policy'])
