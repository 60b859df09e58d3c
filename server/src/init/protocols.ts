import { type InstalledPlugin, installedPlugins, operatorFolder, type Places, shortName } from '@svc/core'
import { Refusal } from '../cli/refusal.ts'
import type { Questions } from './prompt.ts'

/** Protocols that are to be served: those that are installed, and packages that have to be installed first. */
export interface Choice {
  readonly chosen: readonly InstalledPlugin[]
  readonly absent: readonly string[]
}

/** A package's name as npm takes it (validate-npm-package-name 7, read 2026-11-27), with a scope or without. */
const PACKAGE = /^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/

/**
 * Asks which protocols to serve. It offers the plugins among the dependencies of the operator's folder, whoever made them, and takes the names of other packages.
 *
 * @throws Refusal for a short name that no installed plugin has, or that two have
 */
export async function chooseProtocols(places: Places, questions: Questions, answer?: readonly string[]): Promise<Choice | null> {
  const installed = await installedPlugins(places)
  if (installed.length > 0) {
    questions.tell(`Installed in ${operatorFolder(places)}:`)
    for (const { name } of installed) questions.tell(`  ${shortName(name).padEnd(20)} ${name}`)
  }
  return await questions.ask(
    {
      text: installed.length > 0 ? 'Protocols to serve, or all' : 'Packages of the protocols to serve (docs/protocols.md names them)',
      option: '--protocols <names>',
      ...(installed.length > 0 ? { fallback: 'all' } : {}),
      read: (text) => readChoice(text, installed),
    },
    answer?.join(' '),
  )
}

/** Lists the names of a plugin: its package's, and the short one where no other plugin has it. */
export function aliasesOf(name: string, all: readonly string[]): readonly string[] {
  const short = shortName(name)
  return all.some((other) => other !== name && shortName(other) === short) ? [name] : [name, short]
}

function readChoice(text: string, installed: readonly InstalledPlugin[]): Choice {
  const names = installed.map(({ name }) => name)
  const words = [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))]
  if (words.length === 0) throw new Refusal('Name at least one protocol.')
  if (words.length === 1 && words[0] === 'all') {
    if (installed.length === 0) throw new Refusal('No plugin is installed here, so there is nothing that all could be: name packages.')
    return { chosen: installed, absent: [] }
  }
  const absent: string[] = []
  const chosen = new Set<InstalledPlugin>()
  for (const word of words) {
    const fits = installed.filter(({ name }) => aliasesOf(name, names).includes(word))
    const twins = names.filter((name) => shortName(name) === word)
    if (fits[0] !== undefined) chosen.add(fits[0])
    else if (twins.length > 1) throw new Refusal(`${word} is the short name of ${twins.join(' and ')}: write the package's whole name.`)
    else if (word.startsWith('@') && PACKAGE.test(word)) absent.push(word)
    else
      throw new Refusal(
        `${word} is no installed plugin (${names.map(shortName).join(', ') || 'none is'}); one that is to be installed is named by its whole package, such as @svc/plugin-${/^[a-z0-9-]+$/.test(word) ? word : 'evm-three'}.`,
      )
  }
  // In the folder's order, so that the same answers make the same file.
  return { chosen: installed.filter((plugin) => chosen.has(plugin)), absent }
}
