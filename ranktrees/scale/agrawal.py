"""Data sets of any size, written batch by batch."""

from pathlib import Path

from ranktrees.arguments import as_path
from ranktrees.data.generate import agrawal_parts
from ranktrees.optional import optional

PER_FILE = 1 << 22  # rows of a file


def write_agrawal(folder, n: int, function=1, noise=0.0, seed=1, extra=0) -> list[Path]:
    """Write the n cases of `rt.agrawal` to Parquet files in a folder, and return their paths.

    No more than a batch is in memory, so n may be 10^8. Raises FileExistsError for a folder that
    has Parquet files, which would be mixed with these.
    """
    pa, parquet = optional("pyarrow"), optional("pyarrow.parquet")
    folder, paths, writer, rows = as_path("folder", folder), [], None, 0
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("*.parquet")):
        raise FileExistsError(f"{folder} has Parquet files already: name another folder")
    try:
        for frame in agrawal_parts(n, function, noise, seed, extra):
            table = pa.Table.from_pandas(frame, preserve_index=False)
            if writer is None or rows + len(frame) > PER_FILE:
                if writer is not None:
                    writer.close()
                paths.append(folder / f"part-{len(paths):04d}.parquet")
                writer, rows = parquet.ParquetWriter(paths[-1], table.schema), 0
            writer.write_table(table)
            rows += len(frame)
    finally:
        if writer is not None:
            writer.close()
    return paths
