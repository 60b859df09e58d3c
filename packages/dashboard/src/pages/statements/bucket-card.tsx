import { Card } from '../../parts/layout/card.tsx'
import { Icon } from '../../parts/layout/icon.tsx'
import { placeText } from '../positions/operations.ts'
import { ExactAmount, widthOf } from './exact-amount.tsx'
import type { ReadStatement } from './read.ts'

/** Shows each part of the position with its opening, its change and its closing, and whether it adds up by itself. */
export function BucketCard({ statement: { sheet, detail } }: { readonly statement: ReadStatement }) {
  const { buckets, places } = sheet
  const width = widthOf(
    buckets.filter(({ isUnits }) => !isUnits).flatMap(({ opening, change, closing }) => [opening, change, closing]),
    places,
  )
  return (
    <Card title="By part" about="what moves within the position cancels out above">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <div class="sheet-scroll" tabIndex={0} role="group" aria-label="By part">
        <table class="sheet small-figures">
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" class="right">
                Opening
              </th>
              <th scope="col" class="right">
                Change
              </th>
              <th scope="col" class="right">
                Closing
              </th>
              <th scope="col">
                <span class="hidden-visually">Adds up</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ key, opening, change, closing, isUnits }) => {
              const [own, room] = isUnits ? [0, 0] : [places, width]
              const adds = opening + change === closing
              return (
                <tr key={key}>
                  <th scope="row">
                    {placeText(key, detail.buckets)}
                    {isUnits ? <span class="muted small"> in base units</span> : null}
                  </th>
                  <td class="right">
                    <ExactAmount units={opening} places={own} width={room} />
                  </td>
                  <td class="right">
                    <ExactAmount units={change} places={own} width={room} signed />
                  </td>
                  <td class="right">
                    <ExactAmount units={closing} places={own} width={room} />
                  </td>
                  <td>
                    <span class={adds ? 'verdict ok' : 'verdict bad'}>
                      <Icon name={adds ? 'check' : 'warn'} />
                      <span class="hidden-visually">{adds ? 'yes' : 'no'}</span>
                    </span>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
