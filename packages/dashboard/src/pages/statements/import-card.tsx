import { useComputed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Button } from '../../parts/form/button.tsx'
import { Segments } from '../../parts/form/select.tsx'
import { Card } from '../../parts/layout/card.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { saveFile } from '../../parts/value/save-file.ts'
import { route, setQuery } from '../../router/router.ts'
import { useResource } from '../../state/resource.ts'
import { sizeText } from '../../text/size.ts'
import { plural } from '../positions/history.ts'
import { factsOf, isForImport, LAYOUTS, type Layout, type Recognition } from './file.ts'
import type { Period } from './period.ts'
import { curlOf, type StatementWallet } from './place.ts'
import { type ReadStatement, readFile } from './read.ts'

/** Moments at which a reward is income. */
const RECOGNITIONS: readonly { readonly value: Recognition; readonly label: string }[] = [
  { value: 'accrual', label: 'accrues' },
  { value: 'claim', label: 'is claimed' },
]

/** Shows the file of a statement before it is saved: its first lines, its rows and size, what is not in it, and whether it is the statement. */
export function ImportCard({
  place,
  statement,
  period,
  onReload,
}: {
  readonly place: StatementWallet
  readonly statement: ReadStatement
  readonly period: Period
  /** Reads the statement again. */
  readonly onReload: () => void
}) {
  const query = route.value.query
  const layout = useComputed(() => layoutOf(route.value.query)).value
  const recognise: Recognition = query.get('recognise') === 'claim' ? 'claim' : 'accrual'
  const { entries, detail, from, proof } = statement
  const between = { from, to: period.to }
  const form = { layout, recognise }
  const file = useResource(`file ${JSON.stringify([place, between, form])}`, (signal) => readFile(place, between, form, signal))
  const { value: text, failure, reload } = file
  const facts = useMemo(
    () => (text === undefined ? undefined : factsOf(text, layout, recognise, entries, detail.buckets)),
    [text, layout, recognise, entries, detail],
  )
  const size = text === undefined ? '' : sizeText(new Blob([text]).size)
  const isSound = facts?.agrees === true && proof.verdict !== 'differs'
  const curl = curlOf(place, between, form, new URL('../api/v1/', document.baseURI))
  return (
    <Card title="As a file" about={facts === undefined ? null : `${plural(facts.rows, 'row')}, ${size}`}>
      <div class="body stack">
        <Segments label="Form" value={layout} options={LAYOUTS} onValue={(value) => setQuery({ layout: value === 'own' ? null : value })} />
        {isForImport(layout) ? (
          <div class="with-action">
            <span class="muted small">A reward is income when it</span>
            <Segments
              label="A reward is income when it"
              value={recognise}
              options={RECOGNITIONS}
              onValue={(value) => setQuery({ recognise: value === 'accrual' ? null : value })}
            />
          </div>
        ) : null}
        {text === undefined || facts === undefined ? (
          failure ? (
            <ErrorState failure={failure} onRetry={reload} />
          ) : (
            <Loading lines={4} />
          )
        ) : (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
            <div class="code preview" tabIndex={0} role="group" aria-label="First lines of the file">
              {facts.head.map((line, index) => (
                <div key={index} class={index === 0 ? 'columns-line' : ''}>
                  {line}
                </div>
              ))}
              {facts.rows > facts.head.length - 1 ? (
                <div class="muted">{plural(facts.rows - facts.head.length + 1, 'row')} more</div>
              ) : null}
            </div>
            <dl class="kv">
              <dt>Left out</dt>
              <dd>
                {facts.leftOut === 0
                  ? 'nothing'
                  : `${plural(facts.leftOut, 'entry', 'entries')}: what moves between the wallet and its own position, what the price of shares brings, and what was taken back is no income`}
              </dd>
              <dt>Prices</dt>
              <dd>none: they are not kept by day, so nothing has a value in dollars</dd>
              <dt>Checked</dt>
              <dd>
                {facts.agrees
                  ? isForImport(layout)
                    ? 'its rows are those of the statement, and so is their sum'
                    : 'its rows are those of the statement'
                  : 'it is not of the same readings as the statement'}
              </dd>
            </dl>
            {isSound ? null : (
              <Note kind="bad">
                {proof.verdict === 'differs'
                  ? 'No file is given of what does not add up.'
                  : 'The file and the statement differ: read both again.'}
              </Note>
            )}
            <div class="with-action">
              {isSound ? (
                <Button kind="primary" icon="download" onClick={() => saveFile([text], 'text/csv', nameOf(place, period, layout))}>
                  Download CSV
                </Button>
              ) : (
                <Button
                  onClick={() => {
                    onReload()
                    reload()
                  }}
                >
                  Read again
                </Button>
              )}
              <Copy text={curl} label="Copy curl" />
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

function layoutOf(query: URLSearchParams): Layout {
  return LAYOUTS.find(({ value }) => value === query.get('layout'))?.value ?? 'own'
}

/** Names the file by its wallet, period and form. */
function nameOf({ wallet }: StatementWallet, { text }: Period, layout: Layout): string {
  return `statement-${wallet}-${text}-${layout}.csv`
}
