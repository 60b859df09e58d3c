import { membersOf } from '@svc/sandbox'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import type { World } from './world.ts'

/** Gas of what landed or was simulated with success, of the real node and here. */
export function gasOf({ recorded, answers }: World): { name: string; real: number; here: number }[] {
  const names = [...recorded.keys()].filter((name) => /^simulate-|^tx-.*-landed$/.test(name))
  return names.flatMap((name) => {
    const [real, here] = [usedIn(recorded.get(name)?.response.body), usedIn(answers.get(name)?.body)]
    return real === undefined || here === undefined ? [] : [{ name, real, here }]
  })
}

function usedIn(body: unknown): number | undefined {
  const { tx_result: outcome, response } = membersOf(membersOf(body).result)
  if (outcome !== undefined) return Number(membersOf(outcome).gas_used)
  const { code, value } = membersOf(response)
  return code === 0 ? Number(SimulateResponse.decode(Buffer.from(String(value), 'base64')).gasInfo?.gasUsed) : undefined
}
