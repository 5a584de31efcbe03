#include "ledger/testing/fault_vfs.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>

#include "base/assert.h"

namespace tacit::ledger::testing {
namespace {

struct UnsyncedWrite {
  sqlite3_int64 offset;
  std::string before;  // what stood there, as far as the file reached
  sqlite3_int64 size_before;
};

struct World {
  std::mutex mutex;
  Faults faults;
  int64_t operations = 0;
  int64_t syncs = 0;
  bool happened = false;
  std::map<std::string, std::vector<UnsyncedWrite>> unsynced;
};

World& TheWorld() {
  static World world;
  return world;
}

sqlite3_vfs* System() {
  static sqlite3_vfs* const system = sqlite3_vfs_find("unix");
  return system;
}

// Counts one operation; true when it is to fail.
bool Fails() {
  World& world = TheWorld();
  const std::lock_guard lock(world.mutex);
  ++world.operations;
  const Faults& faults = world.faults;
  if (faults.fail_at == 0 || world.operations < faults.fail_at) return false;
  if (!faults.for_ever && world.operations > faults.fail_at) return false;
  world.happened = true;
  return true;
}

struct File {
  sqlite3_file base;
  std::string* name;
  sqlite3_file* system;  // the system's own file, right behind this one
};

sqlite3_file* SystemFile(sqlite3_file* file) { return reinterpret_cast<File*>(file)->system; }

int Close(sqlite3_file* file) {
  sqlite3_file* system = SystemFile(file);
  const int code = system->pMethods->xClose(system);
  delete reinterpret_cast<File*>(file)->name;
  return code;
}

int Read(sqlite3_file* file, void* bytes, int count, sqlite3_int64 offset) {
  sqlite3_file* system = SystemFile(file);
  return system->pMethods->xRead(system, bytes, count, offset);
}

void Remember(File* file, int count, sqlite3_int64 offset) {
  UnsyncedWrite write{.offset = offset, .before = {}, .size_before = 0};
  file->system->pMethods->xFileSize(file->system, &write.size_before);
  const sqlite3_int64 there = std::min<sqlite3_int64>(count, write.size_before - offset);
  if (there > 0) {
    write.before.resize(static_cast<size_t>(there));
    file->system->pMethods->xRead(file->system, write.before.data(), static_cast<int>(there),
                                  offset);
  }
  const std::lock_guard lock(TheWorld().mutex);
  TheWorld().unsynced[*file->name].push_back(std::move(write));
}

int Write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  sqlite3_file* system = SystemFile(file);
  Remember(reinterpret_cast<File*>(file), count, offset);
  if (!Fails()) return system->pMethods->xWrite(system, bytes, count, offset);
  // Torn: half of it arrives.
  system->pMethods->xWrite(system, bytes, count / 2, offset);
  return TheWorld().faults.disk_full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (Fails()) return SQLITE_IOERR_TRUNCATE;
  return SystemFile(file)->pMethods->xTruncate(SystemFile(file), size);
}

int Sync(sqlite3_file* file, int flags) {
  World& world = TheWorld();
  if (Fails()) return SQLITE_IOERR_FSYNC;
  {
    const std::lock_guard lock(world.mutex);
    ++world.syncs;
    world.unsynced.erase(*reinterpret_cast<File*>(file)->name);
  }
  return SystemFile(file)->pMethods->xSync(SystemFile(file), flags);
}

int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  return SystemFile(file)->pMethods->xFileSize(SystemFile(file), size);
}
int Lock(sqlite3_file* file, int level) {
  return SystemFile(file)->pMethods->xLock(SystemFile(file), level);
}
int Unlock(sqlite3_file* file, int level) {
  return SystemFile(file)->pMethods->xUnlock(SystemFile(file), level);
}
int CheckReservedLock(sqlite3_file* file, int* held) {
  return SystemFile(file)->pMethods->xCheckReservedLock(SystemFile(file), held);
}
int FileControl(sqlite3_file* file, int operation, void* argument) {
  return SystemFile(file)->pMethods->xFileControl(SystemFile(file), operation, argument);
}
int SectorSize(sqlite3_file* file) {
  return SystemFile(file)->pMethods->xSectorSize(SystemFile(file));
}
int DeviceCharacteristics(sqlite3_file* file) {
  return SystemFile(file)->pMethods->xDeviceCharacteristics(SystemFile(file));
}
int ShmMap(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
  return SystemFile(file)->pMethods->xShmMap(SystemFile(file), page, size, extend, memory);
}
int ShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return SystemFile(file)->pMethods->xShmLock(SystemFile(file), offset, count, flags);
}
void ShmBarrier(sqlite3_file* file) { SystemFile(file)->pMethods->xShmBarrier(SystemFile(file)); }
int ShmUnmap(sqlite3_file* file, int remove) {
  return SystemFile(file)->pMethods->xShmUnmap(SystemFile(file), remove);
}

constexpr sqlite3_io_methods kMethods = {2,
                                         Close,
                                         Read,
                                         Write,
                                         Truncate,
                                         Sync,
                                         FileSize,
                                         Lock,
                                         Unlock,
                                         CheckReservedLock,
                                         FileControl,
                                         SectorSize,
                                         DeviceCharacteristics,
                                         ShmMap,
                                         ShmLock,
                                         ShmBarrier,
                                         ShmUnmap,
                                         nullptr,
                                         nullptr};

int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  if (Fails()) return SQLITE_CANTOPEN;
  File* own = reinterpret_cast<File*>(file);
  own->system = reinterpret_cast<sqlite3_file*>(own + 1);
  const int code = System()->xOpen(System(), name, own->system, flags, out_flags);
  if (code != SQLITE_OK) return code;
  own->name = new std::string(name == nullptr ? "" : name);
  own->base.pMethods = &kMethods;
  return SQLITE_OK;
}

void Register() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs made = *System();
    made.szOsFile = static_cast<int>(sizeof(File)) + System()->szOsFile;
    made.zName = kFaultVfs;
    made.pNext = nullptr;
    made.xOpen = Open;
    return made;
  }();
  TACIT_ASSERT(sqlite3_vfs_register(&vfs, 0) == SQLITE_OK);
}

}  // namespace

void ArmFaults(const Faults& faults) {
  Register();
  World& world = TheWorld();
  const std::lock_guard lock(world.mutex);
  world.faults = faults;
  world.operations = 0;
  world.syncs = 0;
  world.happened = false;
  world.unsynced.clear();
}

int64_t OperationCount() { return TheWorld().operations; }
int64_t SyncCount() { return TheWorld().syncs; }
bool FaultHappened() { return TheWorld().happened; }

void LosePower(std::mt19937& random, bool lose_all) {
  for (auto& [name, writes] : TheWorld().unsynced) {
    const int descriptor = open(name.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) continue;  // deleted meanwhile
    for (auto write = writes.rbegin(); write != writes.rend(); ++write) {
      if (!lose_all && random() % 2 == 0) continue;
      const ssize_t length = static_cast<ssize_t>(write->before.size());
      TACIT_ASSERT(pwrite(descriptor, write->before.data(), write->before.size(), write->offset) ==
                   length);
      // Only the newest write can take the end of the file back with it.
      if (lose_all) TACIT_ASSERT(ftruncate(descriptor, write->size_before) == 0);
    }
    close(descriptor);
  }
  TheWorld().unsynced.clear();
}

}  // namespace tacit::ledger::testing
