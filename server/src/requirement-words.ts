import type { RequirementResult } from '@svc/contract/host'
import type { EndpointReport } from './endpoint-report.ts'

/** One requirement of one endpoint that is not met, in words. */
interface Lack {
  readonly report: EndpointReport
  readonly met: RequirementResult
  /** True if an operation fails for it, or for not being known. */
  readonly isNeeded: boolean
  /** One sentence on what is not there, what does not work for it, and how the node is set. */
  readonly sentence: string
}

/**
 * Lists the requirements for a node that endpoints lack, or gave no answer to. A lacking one that another endpoint of the network meets makes nothing fail as long as that
 * endpoint is there.
 */
export function lacksOf(reports: readonly EndpointReport[]): readonly Lack[] {
  return reports.flatMap((report) =>
    report.requirements
      .filter(({ state }) => state !== 'met')
      .map((met) => {
        const { name, weight } = met.requirement
        const isElsewhere = reports.some(
          ({ path, requirements }) =>
            path === report.path && requirements.some((each) => each.requirement.name === name && each.state === 'met'),
        )
        return { report, met, isNeeded: weight === 'needed' && !isElsewhere, sentence: sentenceOf(report, met, isElsewhere) }
      }),
  )
}

function sentenceOf(
  { path, endpoint }: EndpointReport,
  { requirement, state, said: complaint }: RequirementResult,
  isElsewhere: boolean,
): string {
  const { name, setting } = requirement
  const without = isElsewhere
    ? `${requirement.without}, as long as no other endpoint of this network that has it answers`
    : requirement.without
  const place = `${path}: endpoint ${endpoint}`
  if (state === 'unknown') return `${place}: it did not say whether it has: ${name} (${complaint}).`
  return `${place}: it lacks: ${name} (${complaint}). Without it: ${without}. The node needs ${setting.name}.`
}

/** Lists the networks all of whose asked endpoints lack something needed, one sentence each: the failover has nowhere to go. */
export function hopeless(reports: readonly EndpointReport[]): readonly string[] {
  const networks = Map.groupBy(
    reports.filter(({ requirements }) => requirements.length > 0),
    ({ path }) => path,
  )
  return [...networks.values()].flatMap((group) => {
    const names = group[0]?.requirements.map(({ requirement }) => requirement.name) ?? []
    const nowhere = names.filter((name) => group.every((report) => isMissing(report, name)))
    return lacksOf(group.slice(0, 1)).flatMap(({ met, isNeeded, sentence }) =>
      isNeeded && nowhere.includes(met.requirement.name) ? [sentence] : [],
    )
  })
}

function isMissing({ requirements }: EndpointReport, name: string): boolean {
  return requirements.some(({ requirement, state }) => requirement.name === name && state === 'missing')
}

/** Makes the rows of `svc check` on the nodes' requirements: protocol, network, endpoint, requirement, state, text. */
export function requirementRows(reports: readonly EndpointReport[]): readonly (readonly string[])[] {
  return reports.flatMap((report) => {
    const { prefix, chainId, endpoint, requirements } = report
    if (requirements.length === 0) return []
    const lacks = lacksOf([report])
    const met = requirements.length - lacks.length
    const all = lacks.length === 0 ? `all ${met}` : `${met} of ${requirements.length}`
    return [
      [prefix, chainId, endpoint, all, 'ok', ''],
      ...lacks.map(({ met: { requirement, state, said: complaint }, isNeeded }) => [
        prefix,
        chainId,
        endpoint,
        requirement.name,
        state === 'unknown' ? 'NO ANSWER' : isNeeded ? 'MISSING' : 'LESS',
        state === 'unknown' ? complaint : `${requirement.without}; set ${requirement.setting.name}`,
      ]),
    ]
  })
}
