import type { ReactNode } from "react";
import type { ListPage } from "#app/platform/list-page.ts";
import { CursorPagination } from "./cursor-pagination.tsx";
import { DownloadButton } from "./download-button.tsx";
import { TitledList } from "./titled-card.tsx";

interface Props {
  title: string;
  /** address of the CSV file, without its search: it gets the page's own */
  file: `/app/${string}.csv`;
  page: ListPage<unknown>;
  children: ReactNode;
}

/** A list with its title, its CSV file and its pages. */
export function ExportableList({ title, file, page, children }: Props) {
  return (
    <TitledList title={title} action={<DownloadButton file={file} disabled={page.items.length === 0} />}>
      {children}
      <CursorPagination page={page} />
    </TitledList>
  );
}
