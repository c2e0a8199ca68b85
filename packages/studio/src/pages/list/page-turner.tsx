// Turns the pages of a list.

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { pageSizes } from '../../model/list-address.ts'
import { pagesAround } from '../../model/pages-around.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './list.module.css'
import type { EntryList } from './use-entry-list.ts'

export function PageTurner({ list }: { readonly list: EntryList }) {
  const t = useTranslations('pages')
  const { page = 1 } = list.address
  if (list.page === undefined || list.page.total <= pageSizes[0]!) return null
  const { pageCount } = list.page
  const turn = (to: number) => list.change({ page: to === 1 ? undefined : to })
  return (
    <div className={styles.turner}>
      {pageCount > 1 && (
        <nav aria-label={t('title')}>
          <Button
            look="quiet"
            isSmall
            isIcon
            aria-label={t('previous')}
            isDisabled={page <= 1}
            onPress={() => turn(page - 1)}
          >
            <ChevronLeft aria-hidden="true" />
          </Button>
          {pagesAround(page, pageCount).map((one, index) =>
            one === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: gaps have no other name
              <span key={`gap ${index}`} className={styles.gap}>
                …
              </span>
            ) : (
              <Button
                key={one}
                look={one === page ? 'plain' : 'quiet'}
                isSmall
                aria-label={t('page', { page: one })}
                {...(one === page && { 'aria-current': 'page' })}
                onPress={() => turn(one)}
              >
                {one}
              </Button>
            ),
          )}
          <Button
            look="quiet"
            isSmall
            isIcon
            aria-label={t('next')}
            isDisabled={page >= pageCount}
            onPress={() => turn(page + 1)}
          >
            <ChevronRight aria-hidden="true" />
          </Button>
        </nav>
      )}
      <div className={styles.pageSize}>
        <Select
          aria-label={t('size')}
          choices={pageSizes.map(one => ({ value: String(one), label: t('each', { count: one }) }))}
          value={String(list.size)}
          onChange={value => list.resize(Number(value))}
        />
      </div>
    </div>
  )
}
