// The table of a list: rows lead to their entries, columns sort, and boxes choose entries for what is done with several.

import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect } from 'react'
import { Column as AriaColumn, Cell, Row, type Selection, Table, TableBody, TableHeader } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { usePathTo } from '../../app/paths.ts'
import { entryName } from '../../model/entry-name.ts'
import type { ContentType } from '../../model/types.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useColumnLabel } from './column-label.ts'
import { EntryCell } from './entry-cell.tsx'
import { lastVisited } from './last-visited.ts'
import styles from './table.module.css'
import type { EntryList } from './use-entry-list.ts'

interface TableProps {
  readonly type: ContentType
  readonly list: EntryList
  readonly chosen: readonly number[]
  readonly onChoose: (keys: Selection) => void
}

export function EntryTable({ type, list, chosen, onChoose }: TableProps) {
  const t = useTranslations('list')
  const pathTo = usePathTo()
  const labelOf = useColumnLabel()
  const [sorted, direction] = list.sort.split(':') as [string, string]
  const visited = lastVisited(type.uid)
  useEffect(() => {
    document.querySelector('[data-visited="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  // The cells of rows depend on the columns too.
  const items = list.page!.entries
  return (
    <div className={classNames(styles.scroll, list.isWaiting && styles.waiting)}>
      <Table
        aria-label={type.listLabel}
        className={styles.table!}
        selectionMode="multiple"
        selectedKeys={chosen}
        onSelectionChange={onChoose}
        sortDescriptor={{ column: sorted, direction: direction === 'desc' ? 'descending' : 'ascending' }}
        onSortChange={({ column, direction: next }) =>
          list.change({ sort: `${column}:${next === 'descending' ? 'desc' : 'asc'}` })
        }
      >
        <TableHeader>
          <AriaColumn className={styles.box!}>
            <Checkbox slot="selection" />
          </AriaColumn>
          {list.shown.map(column => (
            <AriaColumn
              key={column.name}
              id={column.name}
              isRowHeader={
                column.name === (list.shown.find(({ name }) => name === type.mainField) ?? list.shown[0])!.name
              }
              allowsSorting={column.isSortable}
              className={styles.column!}
            >
              {({ sortDirection }) => (
                <span className={styles.columnText}>
                  {labelOf(column)}
                  {sortDirection === 'ascending' && <ArrowUp aria-hidden="true" />}
                  {sortDirection === 'descending' && <ArrowDown aria-hidden="true" />}
                </span>
              )}
            </AriaColumn>
          ))}
        </TableHeader>
        <TableBody items={items} dependencies={[list.shown, visited]}>
          {entry => (
            <Row
              id={entry.id}
              textValue={entryName(type, entry)}
              href={pathTo({ to: '/content/$slug/$id', params: { slug: type.slug, id: String(entry.id) } })}
              className={styles.row!}
              data-visited={entry.id === visited}
            >
              <Cell className={styles.box!}>
                <Checkbox slot="selection" aria-label={t('choose', { name: entryName(type, entry) })} />
              </Cell>
              {list.shown.map(column => (
                <Cell key={column.name} className={styles.cell!} data-type={column.type}>
                  <EntryCell type={type} column={column} entry={entry} />
                </Cell>
              ))}
            </Row>
          )}
        </TableBody>
      </Table>
    </div>
  )
}
